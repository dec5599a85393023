// Who one is here.
import { html } from "../../lib/html.js"
import { me } from "../../lib/store.js"
import { t } from "../../lib/i18n.js"
import { Field } from "../../parts/field.js"
import { useProfile } from "./profile.js"

export default function Account() {
	const { typed, type, fault, ready, save } = useProfile("name")
	return html`<section class="panel">
		<h2>${t("web.settings.account")}</h2>
		<dl class="named">
			<div><dt>${t("web.settings.handle")}</dt><dd>${me.value.handle}</dd></div>
			${me.value.email && html`<div><dt>${t("web.settings.email")}</dt><dd>${me.value.email}</dd></div>`}
		</dl>
		<form class="stack" onSubmit=${save}>
			<${Field} label=${t("web.settings.name")} hint=${t("web.settings.name.hint")} name="name" maxlength="255" dir="auto" autocomplete="name" value=${typed} onInput=${(e) => type(e.target.value)} fault=${fault} />
			<div class="acts"><button class="main" disabled=${!ready}>${t("web.settings.save")}</button></div>
		</form>
	</section>`
}
