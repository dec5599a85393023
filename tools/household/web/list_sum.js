// What all that the list is asked for costs, as the server adds it up.
import { day, html, money, t } from "../../kit.js"

export function ListSum({ of }) {
	const { count, sums, converted: c } = of
	const idle = count - sums.reduce((n, s) => n + s.subscriptions, 0)
	const known = c?.per_month !== undefined
	return html`<div class="list-sum" role="status">
		${known && html`<p><${Costs} of=${c} about="≈ " /></p>`}
		${sums.map((s) => html`<p key=${s.currency} class=${known ? "soft small" : ""}><${Costs} of=${s} /></p>`)}
		${known && html`<p class="soft small">${t("household.web.converted", day(c.on), c.source)}</p>`}
		${c?.missing.map((m) => html`<p key=${m.currency} class="soft small">${m.text}</p>`)}
		<p class="soft small">${t("household.web.list.count", count)}${idle > 0 && " · " + t("household.web.list.idle", idle)}</p>
	</div>`
}

const Costs = ({ of, about = "" }) => html`<b class="number">${about}${t("household.web.a.month", money(of.per_month, of.currency))}</b> · <span class="number">${about}${t("household.web.a.year", money(of.per_year, of.currency))}</span>`
