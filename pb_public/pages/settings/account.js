// Who one is here.
import { html, useState } from "../../lib/html.js"
import { post } from "../../lib/api.js"
import { me } from "../../lib/store.js"
import { t } from "../../lib/i18n.js"
import { Field } from "../../parts/field.js"
import { because } from "../../parts/state.js"
import { say } from "../../parts/toast.js"

export default function Account() {
	const [name, type] = useState(me.value.name || "")
	const [fault, wrong] = useState("")
	const [busy, work] = useState(false)
	async function save(e) {
		e.preventDefault()
		work(true)
		wrong("")
		try {
			me.value = await post("/me", { name })
			type((now) => (now === name ? me.value.name : now)) // what was typed meanwhile stays
			say(t("web.settings.saved"))
		} catch (problem) {
			wrong(because(problem))
		}
		work(false)
	}
	return html`<section class="panel">
		<h2>${t("web.settings.account")}</h2>
		<dl class="named">
			<div><dt>${t("web.settings.handle")}</dt><dd>${me.value.handle}</dd></div>
			${me.value.email && html`<div><dt>${t("web.settings.email")}</dt><dd>${me.value.email}</dd></div>`}
		</dl>
		<form class="stack" onSubmit=${save}>
			<${Field} label=${t("web.settings.name")} hint=${t("web.settings.name.hint")} name="name" maxlength="255" dir="auto" autocomplete="name" value=${name} onInput=${(e) => type(e.target.value)} fault=${fault} />
			<div class="acts"><button class="main" disabled=${busy || name.trim() === (me.value.name || "")}>${t("web.settings.save")}</button></div>
		</form>
	</section>`
}
