// The next 30 days as a line of days, each with what it takes.
import { day, html, href, money, t } from "../../kit.js"
import { Hidden, sums } from "./words.js"

export function Days({ upcoming, hidden, today }) {
	const days = [...Map.groupBy(upcoming.items, (u) => u.date)]
	const several = upcoming.totals.length > 1
	return html`<section class="panel" aria-labelledby="house-days">
		<header><h2 id="house-days">${t("household.web.next")}</h2>
			<span class="number total">${upcoming.totals.map((s, i) => html`${i > 0 && " + "}${money(s.amount, s.currency)}`)}</span>
		</header>
		${several && upcoming.converted?.amount && html`<p class="soft small">≈ ${money(upcoming.converted.amount, upcoming.converted.currency)}</p>`}
		${!days.length && html`<p class="empty">${t("household.web.next.none")}</p>`}
		<ol class="days">
			${days.map(([date, items]) => html`<li key=${date}>
				<h3 class="when"><b>${day(date, { day: "numeric" })}</b><span class="soft">${date === today ? t("household.web.today") : day(date, { weekday: "short", month: "short" })}</span></h3>
				<ul>
					${items.map((u) => html`<li key=${u.subscription}><a href=${href("/subscriptions/" + u.subscription)} dir="auto">${u.name}</a>${hidden.has(u.subscription) && html`<${Hidden} />`}<span class="number">${money(u.amount, u.currency)}</span></li>`)}
					${items.length > 1 && html`<li class="soft small"><span>${t("household.web.sum")}</span><span class="number">${sums(items).map(([c, a], i) => html`${i > 0 && " + "}${money(a, c)}`)}</span></li>`}
				</ul>
			</li>`)}
		</ol>
		${upcoming.next && html`<p class="soft small">${t("household.web.next.more")}</p>`}
	</section>`
}
