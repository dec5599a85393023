// Language and light: how it looks to oneself.
import { html, useState } from "../../lib/html.js"
import { post } from "../../lib/api.js"
import { me, theme } from "../../lib/store.js"
import { t } from "../../lib/i18n.js"
import { Choice } from "../../parts/field.js"
import { because } from "../../parts/state.js"
import { say } from "../../parts/toast.js"

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
	</section>`
}
