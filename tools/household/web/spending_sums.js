// What it was in all, each currency by itself, and what that comes to in one where the rates are known.
import { day, html, money, t } from "../../kit.js"

export function Sums({ found: { totals, converted } }) {
	const apart = totals.length > 1 || (converted && totals[0]?.currency !== converted.currency)
	return html`<section class="panel">
		<div class="sums">${totals.map((s) => html`<div key=${s.currency}>
			<p class="big">${money(s.total, s.currency)}</p>
			<p class="soft small">${t("household.web.booked.expected", money(s.booked, s.currency), money(s.expected, s.currency))}</p>
		</div>`)}</div>
		${apart && converted && html`<${Converted} of=${converted} />`}
	</section>`
}

/** What sums come to in one currency, with the rates that say so; or why that is not known. */
function Converted({ of }) {
	if (of.missing?.length) return html`<div class="soft small">${of.missing.map((m) => html`<p key=${m.currency}>${m.text}</p>`)}</div>`
	const amount = of.amount ?? of.total
	return html`<div><p><b>≈ ${money(amount, of.currency)}</b> ${of.on && html`<span class="soft">${t("household.web.rates.of", day(of.on), of.source)}</span>`}</p>
		${of.rates?.length > 0 && html`<p class="soft small">${of.rates.map((r) => r.text).join(" · ")}</p>`}</div>`
}
