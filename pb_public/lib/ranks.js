// Bars that lie, one under the other, for what has names: they have room, and are a list by themselves.
import { html, useId } from "./html.js"
import { money as amount, number } from "./i18n.js"
import { Behind } from "./behind.js"

/**
 * Draws items, {name, value, part, href, note, colour, icon}, as bars. value is a decimal string; part, at most
 * value, is what of it is sure, and the rest is drawn with stripes. money is the currency. caption names the list;
 * table is {head, series, labels, totals, foot, links} of the one behind it, as those of a chart.
 */
export function Ranks({ items, money, caption, table }) {
	const id = useId()
	const exact = (v) => (v === null || v === undefined || v === "" ? "–" : money ? amount(v, money) : number(v))
	const most = Math.max(...items.map((i) => Math.abs(Number(i.value))), 0) || 1 // for drawing only
	const wide = (v) => (Math.max(0, Math.abs(Number(v))) / most) * 100 + "%"
	return html`<figure class="chart"><figcaption id=${id} dir="auto">${caption}</figcaption>
	<ol class="ranks" aria-labelledby=${id}>${items.map((item, n) => {
		const inside = html`<span class="name" dir="auto">${item.icon && html`<span aria-hidden="true">${item.icon} </span>`}${item.name}</span>
			<span class="number">${exact(item.value)}${item.note && html`<br /><span class="soft small">${item.note}</span>`}</span>
			<span class="track" aria-hidden="true" style=${{ color: item.colour || `var(--chart-${((item.n ?? n) % 8) + 1})` }}>
				<span style=${{ width: wide(item.part ?? item.value) }}></span>
				${item.part !== undefined && html`<span class="faint" style=${{ width: (Math.max(0, Number(item.value) - Number(item.part)) / most) * 100 + "%" }}></span>`}
			</span>`
		return html`<li key=${item.key ?? n}>${item.href ? html`<a href=${item.href}>${inside}</a>` : html`<div>${inside}</div>`}</li>`
	})}</ol>
	${table && html`<${Behind} id=${id} ...${table} exact=${exact} />`}</figure>`
}
