// Why something cannot be taken back, record by record, and what can be nevertheless.
import { html } from "../lib/html.js"
import { several, t } from "../lib/i18n.js"
import { Sheet } from "./dialog.js"
import { Icon } from "./icon.js"

/** Shows the conflicts of an undo; spec is what was to be undone. Gives what is left to be undone without them. */
export function Conflicts({ spec, problem, done }) {
	const found = problem.data.conflicts
	const entries = [...new Set(found.map((c) => c.audit).filter(Boolean))]
	const except = [...new Set([...(spec.except || []), ...entries])]
	const audit = spec.audit?.filter((id) => !except.includes(id))
	const rest = entries.length > 0 && (!audit || audit.length > 0)
	const others = () => done(audit ? { ...spec, audit, except: undefined } : { ...spec, except })

	return html`<${Sheet} title=${t("web.undo.conflict")} close=${() => done()} acts=${html`
		<button autofocus onClick=${() => done()}>${t("web.close")}</button>
		${rest && html`<button class="main" onClick=${others}>${t("web.undo.rest")}</button>`}
	`}>
		<p>${problem.message}</p>
		<ul class="items conflicts">${found.map((c, n) => html`<li key=${n}>
			${c.label && html`<p><b dir="auto">${c.label}</b></p>`}
			<p><${Icon} name="warn" /> ${c.reason?.text || c.reason}</p>
			${c.labels?.length > 0 && html`<p class="soft small">${t("web.undo.fields", several(c.labels))}</p>`}
			${c.by && html`<p class="soft small" dir="auto">${t("web.undo.by", c.by)}</p>`}
		</li>`)}</ul>
		${rest && html`<p class="soft small">${t("web.undo.rest.what")}</p>`}
	<//>`
}
