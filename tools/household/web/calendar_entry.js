// What falls on a day: charges, and what else happens to a subscription.
import { day, href, html, money, t, tryAct } from "../../kit.js"
import { ask } from "./ask.js"

/** An entry in words. */
export function words(e) {
	if (e.kind === "charge") return t("household.web.money.charge." + e.state)
	if (e.kind === "price") return t("household.web.entry.price", money(e.expected_amount, e.currency), money(e.amount, e.currency))
	if (e.kind === "notice") return t("household.web.entry.notice", day(e.ends_on))
	return t("household.web.entry." + e.kind)
}

/** The sign of what an entry is; words say it, too. */
export const Spot = ({ e }) => html`<span class=${"spot " + (e.kind === "charge" ? e.state : "event")} aria-hidden="true"></span>`

/** The entries of a day, with what can be done about them. done() is told when something was. */
export function Entries({ date, entries, done }) {
	return html`<ul class="entries">${entries.map((e, i) => html`<li key=${e.subscription + e.kind + i}>
		<span class="what"><${Spot} e=${e} /><span><a href=${href("/subscriptions/" + e.subscription)} onClick=${() => done?.()} dir="auto">${e.name}</a><br /><span class="soft small">${words(e)}</span></span></span>
		<span class="number">${e.kind === "charge" && e.state !== "skipped" ? money(e.amount, e.currency) : ""}${e.kind === "charge" && e.expected_amount && html`<br /><span class="soft small">${t("household.web.instead", money(e.expected_amount, e.currency))}</span>`}</span>
		${e.kind === "charge" && e.state === "expected" && html`<span class="acts">
			<button onClick=${() => tryAct({ tool: "household_charge_confirm", args: { subscription: e.subscription, due: date } }).then(done)}>${t("household.web.confirm")}<span class="unseen">: ${e.name}</span></button>
			<button class="quiet" onClick=${() => otherwise(e, date).then(done)}>${t("household.web.money.otherwise")}<span class="unseen">: ${e.name}</span></button>
			<button class="quiet" onClick=${() => tryAct({ tool: "household_charge_skip", args: { subscription: e.subscription, due: date } }).then(done)}>${t("household.web.skip")}<span class="unseen">: ${e.name}</span></button>
		</span>`}
	</li>`)}</ul>`
}

// Paid, but another amount or on another day.
function otherwise(e, date) {
	return ask({
		title: t("household.web.otherwise.title", e.name), verb: t("household.web.confirm"),
		fields: [{ name: "amount", label: t("household.web.amount.in", e.currency), kind: "money", value: e.amount }, { name: "date", label: t("household.web.booked.on"), kind: "date", value: date }],
		request: (v) => ({ tool: "household_charge_confirm", args: { subscription: e.subscription, due: date, ...v } }),
	})
}
