// The bars of spending: months stand, what has names lies. Each currency has its own.
import { Chart, href, html, money, month, Ranks, t } from "../../kit.js"

/** How a row is called. */
export const nameOf = (row) => (row.month ? month(row.month) : row.name || t("household.web.nobody"))

const zero = { booked: "0", expected: "0", total: "0" }

export function Bars({ found, query, signs }) {
	const whole = found.totals.length > 1 && found.converted && !found.converted.missing?.length && found.items.every((i) => i.converted?.amount)
	return html`${whole && html`<section class="panel"><${Whole} found=${found} query=${query} /></section>`}${found.totals.map((total) => html`<section class="panel" key=${total.currency}><${One} found=${found} total=${total} query=${query} signs=${signs} /></section>`)}`
}

// All currencies in one, where the rates for each row are known.
function Whole({ found, query }) {
	const { currency } = found.converted
	const rows = found.by === "month" ? everyMonth(found) : found.items
	const values = rows.map((r) => r.converted?.amount ?? "0")
	const table = { head: t("household.web.by." + found.by), labels: rows.map(nameOf), series: [{ label: t("household.web.in.all", currency), colour: 2, values }], links: (i) => inside(found, rows[i], query) }
	const caption = t("household.web.in.all", currency)
	if (found.by === "month") return html`<${Chart} form="bars" money=${currency} caption=${caption} ...${table} labels=${rows.map(short)} />`
	return html`<${Ranks} money=${currency} caption=${caption} table=${table} items=${rows.map((r, i) => ({ key: r.id || r.name, name: table.labels[i], value: values[i], href: table.links(i) }))} />`
}

const short = (row) => month(row.month, { month: "short", year: "2-digit" })

function One({ found, total, query, signs }) {
	const { currency } = total
	const sum = (row) => row.sums.find((s) => s.currency === currency)
	const rows = found.by === "month" ? everyMonth(found) : found.items.filter(sum)
	const all = rows.map((r) => sum(r) || zero)
	const table = {
		head: t("household.web.by." + found.by),
		labels: rows.map(nameOf),
		series: [{ label: t("household.web.booked"), values: all.map((s) => s.booked) }, { label: t("household.web.expected"), faint: true, colour: 0, values: all.map((s) => s.expected) }],
		totals: all.map((s) => s.total),
		foot: [total.booked, total.expected, total.total],
		links: (i) => inside(found, rows[i], query),
	}
	const caption = t("household.web.spent.by." + found.by, currency)
	if (found.by === "month") return html`<${Chart} form="bars" stacked money=${currency} caption=${caption} ...${table} labels=${rows.map(short)} />`
	const items = rows.map((r, i) => {
		const sign = found.by === "category" && signs.find((s) => s.id === r.id)
		return { key: r.id || r.name, name: table.labels[i], icon: sign?.icon, colour: sign?.color, value: all[i].total, part: all[i].booked, href: table.links(i), note: Number(all[i].expected) ? t("household.web.of.expected", money(all[i].expected, currency)) : "" }
	})
	return html`<${Ranks} money=${currency} caption=${caption} items=${items} table=${table} />`
}

// Months in which nothing was spent are months, too.
function everyMonth(found) {
	const rows = []
	let [y, m] = found.from.split("-").map(Number)
	for (let at = ""; (at = y + "-" + String(m).padStart(2, "0")) <= found.to.slice(0, 7) && rows.length < 300; m === 12 ? (y++, (m = 1)) : m++) {
		rows.push(found.items.find((i) => i.month === at) || { month: at, sums: [] })
	}
	return rows
}

// Where it is said what a bar is made of.
function inside(found, row, query) {
	const { was, all, name, ...rest } = query
	if (row.month) {
		const [y, m] = row.month.split("-").map(Number)
		const first = row.month + "-01", last = new Date(Date.UTC(y, m, 0)).toISOString().slice(0, 10)
		return href("/spending", { ...rest, name, by: "subscription", from: first < found.from ? found.from : first, to: last > found.to ? found.to : last, was: row.month })
	}
	if (found.by === "category" && row.id) return href("/spending", { ...rest, was, by: "subscription", category: row.id, name: row.name })
	if (found.by === "tag" && !row.none) return href("/spending", { ...rest, was, by: "subscription", tag: row.name, name: row.name })
	if (found.by === "subscription" && row.id) return href("/subscriptions/" + row.id)
	if (found.by === "payment_method" && row.id) return href("/subscriptions", { payment_method: row.id, status: "all" })
	if (found.by === "member" && row.id) return href("/subscriptions", { owner: row.id, status: "all" })
}
