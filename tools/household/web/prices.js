// What a subscription has cost since when, and what it will.
import { day, html, Icon, money, t, tryAct } from "../../kit.js"
import { ask } from "./ask.js"
import { plus } from "./words.js"

export function Prices({ s }) {
	const prices = s.prices?.length ? s.prices : [{ from: s.first_date, amount: s.amount, only: true }]
	const set = () => ask({
		title: t("household.title.price_set"), fields: [{ name: "amount", label: t("household.web.amount") + " (" + s.currency + ")", kind: "money" }, { name: "from", label: t("household.web.from"), kind: "date" }],
		request: (v) => ({ tool: "household_price_set", args: { subscription: s.id, ...v } }),
	})
	return html`<section class="panel" aria-labelledby="house-prices">
		<header><h2 id="house-prices">${t("household.web.prices")}</h2><button class="quiet flat" onClick=${set}><${Icon} name="add" />${t("household.web.price.new")}</button></header>
		<div class="scroll"><table class="prices">
			<thead><tr><th scope="col">${t("household.web.from")}</th><th scope="col" class="number">${t("household.web.amount")}</th><th scope="col" class="number">${t("household.web.change")}</th><th><span class="unseen">${t("household.web.delete")}</span></th></tr></thead>
			<tbody>${prices.map((p, i) => ({ ...p, before: prices[i - 1]?.amount })).reverse().map((p) => {
				const change = p.before && plus(p.amount, p.before, -1n)
				return html`<tr key=${p.from}><td>${day(p.from)}</td><td class="number">${money(p.amount, s.currency)}</td><td class="number">${change && html`<span class=${change.startsWith("-") ? "less" : "more"}>${money(change, s.currency, { signDisplay: "exceptZero" })}</span>`}</td>
					<td>${!p.only && html`<button class="quiet tiny" onClick=${() => tryAct({ tool: "household_price_delete", args: { subscription: s.id, from: p.from } })}><${Icon} name="close" /><span class="unseen">${t("household.web.price.delete", day(p.from))}</span></button>`}</td></tr>`
			})}</tbody>
		</table></div>
	</section>`
}
