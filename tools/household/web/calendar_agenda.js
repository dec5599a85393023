// The days of a month on which there is something, one under the other.
import { day, html, t } from "../../kit.js"
import { Entries } from "./calendar_entry.js"

export function Agenda({ days, today }) {
	if (!days.size) return html`<p class="empty panel">${t("household.web.calendar.none")}</p>`
	return html`<ol class="agenda panel">${[...days].map(([date, entries]) => html`<li key=${date} class=${date === today ? "now" : ""}>
		<h2><span class="unseen">${day(date, { weekday: "long", day: "numeric", month: "long" })}</span><b aria-hidden="true">${day(date, { day: "numeric" })}</b><span class="soft small" aria-hidden="true">${day(date, { weekday: "short" })}</span>${date === today && html`<span class="soft small">${t("household.web.money.today")}</span>`}</h2>
		<${Entries} date=${date} entries=${entries} />
	</li>`)}</ol>`
}
