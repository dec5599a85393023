// Why something cannot be taken back, record by record, and what can be nevertheless.
import { html, useState } from "../lib/html.js"
import { several, t } from "../lib/i18n.js"
import { act } from "./act.js"
import { Sheet } from "./dialog.js"
import { Icon } from "./icon.js"
import { because } from "./state.js"

/** Shows the conflicts of an undo; spec is what was to be undone. Gives the result where the rest was. */
export function Conflicts({ spec, problem: first, done }) {
	const [s, set] = useState({ spec, problem: first })
	const found = s.problem.data?.conflicts || []
	const entries = [...new Set(found.map((c) => c.audit).filter(Boolean))]
	const left = s.spec.audit && s.spec.audit.length - new Set([...(s.spec.except || []), ...entries]).size
	const rest = entries.length > 0 && (left === undefined || left > 0)

	// Without what stands in the way others may: that is shown then, once more.
	async function others() {
		const except = [...new Set([...(s.spec.except || []), ...entries])]
		const next = { ...s.spec, except, audit: s.spec.audit?.filter((id) => !except.includes(id)) }
		if (next.audit) delete next.except
		set({ ...s, busy: true })
		try {
			done(await act({ path: "/undo", body: next }, { card: "always", done: t("web.undone") }))
		} catch (problem) {
			set(problem.data?.conflicts?.length ? { spec: next, problem } : { ...s, busy: false, failed: problem })
		}
	}

	return html`<${Sheet} title=${t("web.undo.conflict")} close=${() => done()} acts=${html`
		<button autofocus onClick=${() => done()}>${t("web.close")}</button>
		${rest && html`<button class="main" disabled=${s.busy} onClick=${others}>${t("web.undo.rest")}</button>`}
	`}>
		<p>${s.problem.message}</p>
		<ul class="items conflicts">${found.map((c, n) => html`<li key=${n}>
			${c.label && html`<p><b dir="auto">${c.label}</b></p>`}
			<p><${Icon} name="warn" /> ${c.reason?.text || c.reason}</p>
			${c.labels?.length > 0 && html`<p class="soft small">${t("web.undo.fields", several(c.labels))}</p>`}
			${c.by && html`<p class="soft small" dir="auto">${t("web.undo.by", c.by)}</p>`}
		</li>`)}</ul>
		${rest && html`<p class="soft small">${t("web.undo.rest.what")}</p>`}
		${s.failed && html`<p class="note bad" role="alert">${because(s.failed)}</p>`}
	<//>`
}
