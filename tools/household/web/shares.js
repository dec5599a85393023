// What each person bears.
import { html, Loaded, money, number, read, t, useData } from "../../kit.js"

export function Shares() {
	const found = useData((o) => read("household_share_overview", {}, o), [], { watch: ["household_subscriptions", "household_shares", "household_prices"] })
	return html`<section class="panel"><h2>${t("household.title.share_overview")}</h2>
		<${Loaded} of=${found}>${(d) => d.people.length === 0 ? html`<p class="empty">${t("household.web.shares.none")}</p>` : html`
			<div class="scroll" tabindex="0" role="region" aria-label=${t("household.title.share_overview")}><table>
				<thead><tr><th scope="col">${t("household.web.person")}</th><th scope="col" class="number">${t("household.web.subscriptions")}</th><th scope="col" class="number">${t("household.web.per.month")}</th><th scope="col" class="number">${t("household.web.next.30")}</th></tr></thead>
				<tbody>${d.people.flatMap((p) => p.sums.map((s) => html`<tr key=${(p.member || p.name) + s.currency}>
					<th scope="row" dir="auto">${p.name || t("household.web.nobody")}</th><td class="number">${number(s.subscriptions)}</td><td class="number">${money(s.per_month, s.currency)}</td><td class="number">${money(s.next_30_days, s.currency)}</td>
				</tr>`))}</tbody>
			</table></div>`}<//>
	</section>`
}
