// What was paid for a subscription, and what nobody has confirmed yet.
import { day, Endless, html, Icon, money, read, t, tryAct } from "../../kit.js"
import { ask } from "./ask.js"
import { given } from "./bulk.js"

const tones = { expected: "", confirmed: "good", changed: "warn", skipped: "" }

export function Charges({ s }) {
	const amount = { name: "amount", label: t("household.web.amount") + " (" + s.currency + ")", kind: "money" }
	const text = { name: "text", label: t("household.web.text") }
	const add = () => ask({
		title: t("household.title.charge_add"), fields: [{ name: "date", label: t("household.web.booked.on"), kind: "date" }, { ...amount, value: s.amount }, text],
		request: (v) => ({ tool: "household_charge_add", args: { subscription: s.id, ...given(v) } }),
	})
	const other = (c) => ask({
		title: t("household.title.charge_confirm"), verb: t("household.web.confirm"), fields: [{ name: "date", label: t("household.web.booked.on"), kind: "date", value: c.due }, { ...amount, value: c.amount }, text],
		request: (v) => ({ tool: "household_charge_confirm", args: { subscription: s.id, due: c.due, ...given(v) } }),
	})
	const edit = (c) => ask({
		title: t("household.title.charge_update"), fields: [{ name: "date", label: t("household.web.booked.on"), kind: "date", value: c.date }, { ...amount, label: t("household.web.amount") + " (" + c.currency + ")", value: c.amount }, { name: "due", label: t("household.web.due"), kind: "date", value: c.due || "" }, { ...text, value: c.text || "" }],
		request: (v) => {
			const clear = ["due", "text"].filter((n) => v[n] === "" && c[n])
			const args = Object.fromEntries(Object.entries(given(v)).filter(([n, value]) => value !== c[n]))
			return { tool: "household_charge_update", args: { id: c.id, ...args, ...(clear.length && { clear }) } }
		},
		extra: { label: t("household.web.delete"), request: () => ({ tool: "household_charge_delete", args: { id: c.id } }) },
	})
	const all = () => ask({
		title: t("household.title.charges_bulk_confirm"), verb: t("household.web.next.step"), options: { card: "always" },
		fields: [{ name: "from", label: t("household.web.from"), kind: "date", value: s.first_date }, { name: "to", label: t("household.web.to"), kind: "date", hint: t("household.web.today.else") }],
		request: (v) => ({ tool: "household_charges_bulk_confirm", args: { ids: [s.id], ...given(v) } }),
	})
	const row = (c) => html`<div class="charge">
		<span class="when"><b>${day(c.date)}</b>${c.due && c.due !== c.date && html`<span class="small soft">${t("household.web.for.due", day(c.due))}</span>`}${c.text && c.text !== s.merchant && html`<span class="small soft" dir="auto">${c.text}</span>`}</span>
		<span class=${"chip " + tones[c.state]}>${c.state === "expected" ? t("household.web.charge.expected") : c.state === "confirmed" ? t("household.web.charge.confirmed") : c.state === "changed" ? t("household.web.charge.changed") : t("household.web.charge.skipped")}</span>
		<span class="number"><b>${c.state === "skipped" ? "–" : money(c.amount, c.currency)}</b>${c.expected_amount && html`<br /><s class="small soft">${money(c.expected_amount, c.currency)}</s>`}</span>
		${(c.state === "expected" || c.state === "skipped") && html`<span class="acts small-acts">${c.state === "expected"
			? html`<button onClick=${() => tryAct({ tool: "household_charge_confirm", args: { subscription: s.id, due: c.due } })}>${t("household.web.confirm")}<span class="unseen">: ${day(c.due)}</span></button>
				<button class="quiet" onClick=${() => other(c)}>${t("household.web.otherwise")}<span class="unseen">: ${day(c.due)}</span></button>
				<button class="quiet" onClick=${() => tryAct({ tool: "household_charge_skip", args: { subscription: s.id, due: c.due } })}>${t("household.web.skip")}<span class="unseen">: ${day(c.due)}</span></button>`
			: html`<button class="quiet" onClick=${() => tryAct({ tool: "household_charge_delete", args: { id: c.id } })}>${t("household.web.take.back")}<span class="unseen">: ${day(c.date)}</span></button>`}</span>`}
		${c.id && c.state !== "skipped" && html`<button class="quiet tiny" onClick=${() => edit(c)}><${Icon} name="more" /><span class="unseen">${t("household.web.edit")}: ${day(c.date)}</span></button>`}
	</div>`
	return html`<section class="panel" aria-labelledby="house-charges">
		<header><h2 id="house-charges">${t("household.web.charges")}</h2><span class="acts"><button class="quiet flat" onClick=${all}>${t("household.web.confirm.several")}</button><button class="quiet flat" onClick=${add}><${Icon} name="add" />${t("household.web.add")}<span class="unseen">: ${t("household.web.charges")}</span></button></span></header>
		<div class="tall"><${Endless} label=${t("household.web.charges")} deps=${[s.id]} watch=${["household_charges", "household_subscriptions", "household_prices", "household_pauses"]} empty=${t("household.web.charges.none")} load=${(cursor, o) => read("household_charge_list", { subscription: s.id, state: "all", limit: 50, cursor }, o)} row=${row} /></div>
	</section>`
}
