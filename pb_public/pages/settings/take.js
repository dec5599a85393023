// All that the instance keeps of oneself, as a file.
import { html, useState } from "../../lib/html.js"
import { send } from "../../lib/api.js"
import { today } from "../../lib/clock.js"
import { save } from "../../lib/file.js"
import { t } from "../../lib/i18n.js"
import { me } from "../../lib/store.js"
import { because } from "../../parts/state.js"

export default function Take() {
	const [problem, say] = useState(null)
	const [busy, work] = useState(false)
	async function take() {
		work(true)
		say(null)
		try {
			const response = await send("GET", "/me/export", { raw: true })
			const file = await response.blob().catch(() => Promise.reject({ kind: "offline" })) // it broke off
			save("nodkeep-" + me.value.handle + "-" + today() + ".json", "application/json", file)
		} catch (problem) {
			say(problem)
		}
		work(false)
	}
	return html`<section class="panel">
		<h2>${t("web.settings.export")}</h2>
		<p class="soft">${t("web.settings.export.what")}</p>
		${problem && html`<p class="note bad" role="alert">${because(problem)}</p>`}
		<div class="acts"><button disabled=${busy} aria-busy=${busy} onClick=${take}>${busy ? t("web.settings.export.busy") : t("web.settings.export.go")}</button></div>
	</section>`
}
