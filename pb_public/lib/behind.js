// The table behind a chart: what a picture cannot say, and what leads on.
import { html } from "./html.js"
import { t } from "./i18n.js"

/** Draws the table, folded unless open. id is of the words that name it; exact says a value. */
export function Behind({ id, head, series, labels, totals, foot, links, exact, open }) {
	return html`<details open=${open}><summary>${t("web.chart.table")}</summary>
		<div class="scroll" tabindex="0" role="region" aria-labelledby=${id}><table>
			<thead><tr>${head ? html`<th scope="col">${head}</th>` : html`<td></td>`}${series.map((s) => html`<th scope="col" class="number" key=${s.label} dir="auto">${s.label}</th>`)}${totals && html`<th scope="col" class="number">${t("web.chart.total")}</th>`}</tr></thead>
			<tbody>${labels.map((l, i) => html`<tr key=${i}>
				<th scope="row" dir="auto">${links?.(i) ? html`<a href=${links(i)}>${l}</a>` : l}</th>
				${series.map((s) => html`<td class="number" key=${s.label}>${exact(s.values[i])}</td>`)}
				${totals && html`<td class="number">${exact(totals[i])}</td>`}
			</tr>`)}</tbody>
			${foot && html`<tfoot><tr><th scope="row">${t("web.chart.total")}</th>${foot.map((f, i) => html`<td class="number" key=${i}>${exact(f)}</td>`)}</tr></tfoot>`}
		</table></div>
	</details>`
}
