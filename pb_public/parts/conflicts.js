// Why something cannot be taken back, record by record.
import { html } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Sheet } from "./dialog.js"

/** Shows the conflicts of an undo. */
export function Conflicts({ problem, done }) {
	return html`<${Sheet} title=${t("web.undo.conflict")} close=${() => done()} acts=${html`<button autofocus onClick=${() => done()}>${t("web.close")}</button>`}>
		<p>${problem.message}</p>
		<ul>${problem.data.conflicts.map((c) => html`<li key=${c.collection + c.id}>${c.reason?.text || c.reason || c.id}</li>`)}</ul>
	<//>`
}
