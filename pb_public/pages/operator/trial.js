// Asks an assistant a little, and says what is wrong with it.
import { html, useState } from "../../lib/html.js"
import { post } from "../../lib/api.js"
import { t } from "../../lib/i18n.js"
import { over } from "../../lib/over.js"
import { Sheet } from "../../parts/dialog.js"
import { because } from "../../parts/state.js"
import { say } from "../../parts/toast.js"

const look = { ok: "good", weak: "warn", failed: "bad" }

/** The button that tries one, and shows what came of it. */
export function Trial({ id, name }) {
	const [busy, work] = useState(false)
	async function run() {
		work(true)
		try {
			over(Result, { result: await post(`/operator/assistants/${id}/test`), name })
		} catch (problem) {
			say(because(problem), { bad: true })
		}
		work(false)
	}
	return html`<button disabled=${busy} onClick=${run}>${busy ? t("web.trial.busy") : t("web.try")}<span class="unseen">: ${name}</span></button>`
}

const Result = ({ result: r, name, done }) => html`<${Sheet} title=${t("web.trial.title", name)} close=${() => done()} acts=${html`<button class="main" autofocus onClick=${() => done()}>${t("web.close")}</button>`}>
	<p class=${"note " + (r.ok ? "good" : "bad")}><b>${r.ok ? t("web.try.ok") : t("web.trial.failed")}</b></p>
	<ul class="items">${r.lines.map((l, i) => html`<li key=${i} class="stack"><span><span class=${"chip " + look[l.state]}>${t("web.trial.state." + l.state)}</span> <b>${t("web.trial.what." + l.what)}</b></span><span>${l.says?.text}</span></li>`)}</ul>
	<p class="soft small">${t("web.trial.counts")}</p>
<//>`
