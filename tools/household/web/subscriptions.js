// What runs, as a list.
import { Endless, html, money, read, t } from "../../kit.js"

export default function Subscriptions() {
	return html`<header><h1>${t("household.web.subscriptions")}</h1></header>
		<section class="panel"><${Endless} label=${t("household.web.subscriptions")} empty="" watch=${["household_subscriptions"]}
			load=${(cursor, o) => read("household_subscription_list", { limit: 50, cursor }, o)}
			row=${(s) => html`<span class="row"><span>${s.name}</span><span class="number">${money(s.amount, s.currency)}</span></span>`} /></section>`
}
