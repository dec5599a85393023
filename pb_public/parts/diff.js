// Field by field what changes, before and after.
import { html } from "../lib/html.js"
import { t } from "../lib/i18n.js"

/** Draws changes as the API gives them. Many are folded. */
export function Diff({ changes, unseen = 0, open = changes.length <= 3 }) {
	if (!changes.length && !unseen) return null
	return html`<details open=${open}>
		<summary>${t("nod.fields", changes.length)}</summary>
		${changes.map((c) => html`<${One} key=${c.collection + c.id} change=${c} />`)}
		${unseen > 0 && html`<p class="soft small">${t("card.unseen", unseen)}</p>`}
	</details>`
}

function One({ change: c }) {
	const before = c.op !== "create", after = c.op !== "delete"
	return html`<table class="diff">
		<caption>${t("web.change." + c.op, c.label)}</caption>
		<thead><tr><th scope="col">${t("nod.field")}</th>${before && html`<th scope="col">${t("nod.before")}</th>`}${after && html`<th scope="col">${t("nod.after")}</th>`}</tr></thead>
		<tbody>${c.fields.map((f) => html`<tr key=${f.name}><th scope="row">${f.label}</th>${before && html`<td>${f.before || "–"}</td>`}${after && html`<td>${f.after || "–"}</td>`}</tr>`)}</tbody>
	</table>
	${c.hidden > 0 && html`<p class="soft small">${t("card.hidden", c.hidden)}</p>`}`
}
