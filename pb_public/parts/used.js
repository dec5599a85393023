// What models were used for, as a chart and a table, oldest first.
import { html } from "../lib/html.js"
import { day, month, number, t } from "../lib/i18n.js"
import { decimal, micros } from "../lib/micros.js"
import { Chart } from "../lib/chart.js"

const when = (u) => (u.day ? day(u.day) : month(u.month, { month: "short", year: "numeric" }))
const most = 7 // people have a colour of their own
const period = (u) => u.day || u.month

/** items are usages as the API gives them; by is day or month; people puts a column for whose it is. */
export function Used({ items, currency, people, empty }) {
	if (!items.length) return html`<p class="empty">${empty}</p>`
	const unpriced = items.reduce((n, u) => n + u.unpriced, 0)
	return html`
		<${Costs} items=${items} currency=${currency} people=${people} />
		${unpriced > 0 && html`<p class="note warn">${t("web.usage.unpriced", unpriced)}</p>`}
		<div class="scroll" tabindex="0" role="region" aria-label=${t("web.usage.table")}><table class="used">
			<thead><tr>
				<th scope="col">${t("web.usage.when")}</th>${people && html`<th scope="col">${t("web.usage.who")}</th>`}<th scope="col">${t("nodkeep_assistants.assistant")}</th>
				<th scope="col" class="number">${t("web.usage.cost")}</th><th scope="col" class="number">${t("web.usage.requests")}</th><th scope="col" class="number">${t("web.usage.in")}</th><th scope="col" class="number">${t("web.usage.cached")}</th><th scope="col" class="number">${t("web.usage.out")}</th>
			</tr></thead>
			<tbody>${items.map((u) => html`<tr key=${[period(u), u.person, u.assistant, u.currency].join()}>
				<th scope="row">${when(u)}</th>${people && html`<td dir="auto">${u.person ? u.handle || u.person : t("web.usage.nobody")}</td>`}<td>${u.assistant}</td>
				<td class="number">${u.unpriced && !u.cost_micros ? t("web.usage.unknown") : micros(u.cost_micros, u.currency)}${u.unpriced > 0 && u.cost_micros > 0 ? " +" : ""}</td>
				<td class="number">${number(u.requests)}</td><td class="number">${number(u.input_uncached)}</td><td class="number">${number(u.cache_read + u.cache_write)}</td><td class="number">${number(u.output)}</td>
			</tr>`)}</tbody>
		</table></div>`
}

// One bar for each day or month, of several people on each other; what stands in another currency is in the table alone.
function Costs({ items, currency, people }) {
	const periods = [...new Set(items.filter((u) => u.currency === currency).map(period))]
	const whose = new Map() // name -> period -> millionths
	for (const u of items) {
		if (u.currency !== currency) continue
		const name = !people ? t("web.usage.cost") : u.handle || t("web.usage.nobody")
		if (!whose.has(name)) whose.set(name, new Map())
		const sums = whose.get(name)
		sums.set(period(u), (sums.get(period(u)) || 0n) + BigInt(u.cost_micros))
	}
	const all = [...whose].map(([label, sums]) => ({ label, sums, sum: [...sums.values()].reduce((a, b) => a + b, 0n) })).sort((a, b) => (a.sum < b.sum ? 1 : -1))
	if (all.every((s) => !s.sum) || (!people && periods.length < 2)) return null
	const shown = all.slice(0, most)
	if (all.length > most) {
		const rest = all.slice(most), sums = new Map()
		for (const p of periods) sums.set(p, rest.reduce((n, s) => n + (s.sums.get(p) || 0n), 0n))
		shown.push({ label: t("web.usage.others", rest.length), sums })
	}
	return html`<${Chart} form="bars" stacked=${shown.length > 1} labels=${periods.map((p) => when(p.length > 7 ? { day: p } : { month: p }))} money=${currency} places=${6} caption=${t("web.usage.chart")} head=${t("web.usage.when")}
		series=${shown.map(({ label, sums }) => ({ label, values: periods.map((p) => decimal(sums.get(p) || 0n)) }))} />`
}
