// Language, light and time zone: how it looks to oneself.
import { html, useState } from "../../lib/html.js"
import { post } from "../../lib/api.js"
import { me, theme } from "../../lib/store.js"
import { now } from "../../lib/clock.js"
import { moment, t } from "../../lib/i18n.js"
import { Choice, Field } from "../../parts/field.js"
import { because } from "../../parts/state.js"
import { say } from "../../parts/toast.js"
import { useProfile } from "./profile.js"

// Each language is called as it calls itself.
const languages = ["en", "de", "es"].map((l) => [l, new Intl.DisplayNames(l, { type: "language" }).of(l).replace(/^./, (c) => c.toUpperCase())])

export default function Look() {
	const [busy, work] = useState(false)
	async function speak(language) {
		work(true)
		try {
			me.value = await post("/me", { language })
		} catch (problem) {
			say(because(problem), { bad: true })
		}
		work(false)
	}
	return html`<section class="panel">
		<h2>${t("web.settings.look")}</h2>
		<div class="grid">
			<${Choice} label=${t("web.settings.language")} disabled=${busy} value=${me.value.language || ""} choices=${[["", t("web.settings.language.own")], ...languages]} onChange=${(e) => speak(e.target.value)} />
			<${Choice} label=${t("web.settings.theme")} value=${theme.value} choices=${[["", t("web.settings.theme.own")], ["light", t("web.settings.theme.light")], ["dark", t("web.settings.theme.dark")]]} onChange=${(e) => (theme.value = e.target.value)} />
		</div>
		<${Zone} />
	</section>`
}

// Where the device is comes first among the zones that there are.
const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = [...new Set([here, ...(Intl.supportedValuesOf?.("timeZone") || [])])].filter(Boolean)

function Zone() {
	const { typed, type, fault, ready, save } = useProfile("time_zone")
	return html`<form class="stack" onSubmit=${save}>
		<${Field} label=${t("web.settings.zone")} hint=${t("web.settings.zone.hint", moment(now(), { timeStyle: "short" }))} fault=${fault} name="time_zone" list="zones" maxlength="64"
			placeholder=${t("web.settings.zone.own", here)} autocomplete="off" autocapitalize="off" spellcheck=${false} value=${typed} onInput=${(e) => type(e.target.value)} />
		<datalist id="zones">${zones.map((z) => html`<option value=${z} />`)}</datalist>
		<div class="acts"><button class="main" disabled=${!ready}>${t("web.settings.save")}<span class="unseen">: ${t("web.settings.zone")}</span></button></div>
	</form>`
}
