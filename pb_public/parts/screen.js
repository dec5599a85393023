// A table or chart that the server made of what a tool answered.
import { html } from "../lib/html.js"
import { day, moment, money, month, number, t } from "../lib/i18n.js"
import { Chart, Ranks } from "./chart.js"

/** Draws a screen: {title, form, columns, rows, more, partial}. A chart has its table behind it. */
export function Screen({ screen }) {
	const { form, columns, rows } = screen
	const charts = form === "bars" || form === "line" ? drawn(screen) : null
	return html`<section class="panel ask-screen">
		${!charts && html`<h3 dir="auto">${screen.title.text}</h3>`}
		${!rows.length ? html`<p class="empty">${t("web.ask.screen.none")}</p>` : form === "total" ? html`<${Total} columns=${columns} rows=${rows} />` : charts ? charts.map((c) => html`<${Drawing} key=${c.money} form=${form} ...${c} />`) : html`<${Table} screen=${screen} />`}
		${screen.more > 0 && html`<p class="soft small">${t("web.ask.screen.more", screen.more)}</p>`}
		${screen.partial && html`<p class="soft small">${t("web.ask.screen.partial")}</p>`}
	</section>`
}

const counts = (c) => ["money", "number", "integer", "percent"].includes(c.type)

// As the page writes such things, where it knows what they are; else as the server did.
function cell(c, column) {
	if (!c || (c.text === "" && c.value === undefined)) return "–"
	if (column.type === "money" && c.value !== undefined && c.currency) return money(c.value, c.currency)
	if (column.type === "date" && /^\d{4}-\d{2}-\d{2}$/.test(c.value)) return day(c.value)
	if (column.type === "date" && /^\d{4}-\d{2}$/.test(c.value)) return month(c.value)
	if (column.type === "date" && /^\d{4}-\d\d-\d\dT/.test(c.value)) return moment(c.value)
	if (column.type === "number" && c.value !== undefined && c.value !== "") return number(c.value)
	return c.text
}

function Table({ screen: { title, columns, rows } }) {
	return html`<div class="scroll" tabindex="0" role="region" aria-label=${title.text}><table>
		<thead><tr>${columns.map((c) => html`<th scope="col" key=${c.name} class=${counts(c) ? "number" : ""} dir="auto">${c.label}</th>`)}</tr></thead>
		<tbody>${rows.map((row, i) => html`<tr key=${i}>${row.map((c, n) => (n === 0 ? html`<th scope="row" dir="auto" class=${counts(columns[n]) ? "number" : ""}>${cell(c, columns[n])}</th>` : html`<td dir="auto" class=${counts(columns[n]) ? "number" : ""}>${cell(c, columns[n])}</td>`))}</tr>`)}</tbody>
	</table></div>`
}

function Total({ columns, rows }) {
	const big = Math.max(0, columns.findIndex(counts))
	return html`<dl class="ask-totals">${rows.map((row, i) => html`<div key=${i}>
		<dt class="soft small" dir="auto">${columns.map((c, n) => n !== big && cell(row[n], c)).filter(Boolean).join(" · ") || columns[big].label}</dt>
		<dd class="big">${cell(row[big], columns[big])}</dd>
	</div>`)}</dl>`
}

// What of a screen can be drawn: figures of one kind over names. Each currency has a chart of its own;
// a column with several has none.
function drawn({ columns, rows, title }) {
	const at = columns.findIndex((c) => !counts(c))
	const kinds = new Map() // currency -> columns
	for (const [n, column] of columns.entries()) {
		if (!counts(column)) continue
		const all = new Set(rows.map((r) => r[n]?.currency || "").filter(Boolean))
		if (all.size > 1) return null
		const kind = [...all][0] || ""
		kinds.set(kind, [...(kinds.get(kind) || []), n])
	}
	if (at < 0 || !kinds.size) return null
	return [...kinds].map(([money, figures]) => {
		const have = rows.filter((r) => figures.some((n) => there(r[n])))
		return {
			days: columns[at].type === "date", labels: have.map((r) => cell(r[at], columns[at])), head: columns[at].label, money,
			caption: kinds.size > 1 && money ? `${title.text} (${money})` : title.text,
			series: figures.map((n) => ({ label: columns[n].label, values: have.map((r) => (there(r[n]) ? r[n].value : null)) })),
		}
	})
}

const there = (c) => c?.value !== undefined && c.value !== null && c.value !== ""

// What has days goes along them; what has names lies in a list.
function Drawing({ form, days, ...chart }) {
	const [one] = chart.series
	if (form === "bars" && chart.series.length === 1 && !days && one.values.every((v) => v !== null))
		return html`<h3 dir="auto">${chart.caption}</h3><${Ranks} label=${chart.caption} money=${chart.money} items=${chart.labels.map((name, i) => ({ name, value: one.values[i] }))} />`
	return html`<${Chart} form=${form} ...${chart} />`
}
