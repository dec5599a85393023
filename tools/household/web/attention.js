// What needs somebody: decisions, deadlines, charges that nobody has confirmed; and what could cost less.
import { day, html, href, Icon, money, now, t, tryAct, useState } from "../../kit.js"
import { every, Hidden } from "./words.js"

const shown = 3 // of each kind: what is due next is to be seen without scrolling far

/** Everything that waits for a person, with what can be done about it. */
export function Attention({ overview, open, trials, reminders, hidden, reload }) {
	const undecided = trials.items.filter((s) => s.trial && !s.trial.decided)
	const said = reminders.items.filter((r) => !r.said && r.kind !== "trial" && (r.kind !== "charge" || Date.parse(r.at) <= now()))
	const count = undecided.length + said.length + open.items.length
	return html`<section class="panel" aria-labelledby="house-attention">
			<header><h2 id="house-attention">${t("household.web.attention")}</h2>${count > 0 && html`<span class="badge">${count}</span>`}</header>
			${!count && html`<p class="soft"><${Icon} name="check" /> ${t("household.web.attention.none")}</p>`}
			<${Few} label=${t("household.web.attention.trials")} items=${undecided} row=${(s) => html`<${Trial} key=${s.id} s=${s} reload=${reload} />`} />
			<${Few} label=${t("household.web.attention.soon")} items=${said} row=${(r) => html`<${Reminder} key=${r.kind + r.subscription.id + r.on} r=${r} hidden=${hidden} reload=${reload} />`} />
			<${Few} label=${t("household.web.attention.open")} items=${open.items} row=${(c) => html`<${Open} key=${c.subscription + c.due} c=${c} hidden=${hidden} reload=${reload} />`}
				act=${open.items.length > 1 && html`<button class="quiet flat" onClick=${() => allOf(open.items, overview.today).then(reload)}>${t("household.web.confirm.all")}</button>`} />
		</section>`
}

/** What could cost less; a trial without a decision stands above already. */
export function Savings({ savings }) {
	const found = savings.items.filter((s) => s.kind !== "trial_open")
	return found.length > 0 && html`<section class="panel" aria-labelledby="house-savings">
		<header><h2 id="house-savings">${t("household.web.savings")}</h2></header>
		<${Few} items=${found} row=${(s, i) => html`<${Saving} key=${s.kind + i} s=${s} />`} />
	</section>`
}

const allOf = (items, today) => tryAct({ tool: "household_charges_bulk_confirm", args: { from: items.at(-1).due, to: today } }, { card: "always" })

// A few of a list, and all of it when somebody asks.
function Few({ label, items, row, act }) {
	const [all, set] = useState(false)
	if (!items.length) return null
	return html`<div class="few">
		${label && html`<header class="row"><h3 class="soft small">${label}</h3>${act}</header>`}
		<ul class="items">${(all ? items : items.slice(0, shown)).map((x, i) => row(x, i))}</ul>
		${items.length > shown && !all && html`<button class="quiet" onClick=${() => set(true)}>${t("household.web.all", items.length)}</button>`}
	</div>`
}

const Link = ({ id, name, hidden }) => html`<a class="name" href=${href("/subscriptions/" + id)} dir="auto">${name}</a>${hidden && html` <${Hidden} />`}`

function Trial({ s, reload }) {
	const decide = (decision) => tryAct({ tool: "household_trial_decide", args: { id: s.id, decision } }).then(reload)
	return html`<li class="todo">
		<div><p><${Link} ...${s} hidden=${s.private} /></p>
			<p class="small soft">${t("household.web.trial.then", day(s.trial.decide_by), money(s.next_charge?.amount ?? s.amount, s.currency), every(s.cycle))}</p></div>
		<div class="acts"><button onClick=${() => decide("keep")}>${t("household.web.keep")}<span class="unseen">: ${s.name}</span></button>
			<button class="grave" onClick=${() => decide("drop")}>${t("household.web.drop")}<span class="unseen">: ${s.name}</span></button></div>
	</li>`
}

function Reminder({ r, hidden, reload }) {
	const done = () => tryAct({ tool: "household_reminder_done", args: { kind: r.kind, subscription: r.subscription.id, on: r.on, said: false } }).then(reload)
	return html`<li class="todo">
		<div><p><a class="text" href=${href("/subscriptions/" + r.subscription.id)} dir="auto">${r.text}</a>${hidden.has(r.subscription.id) && html` <${Hidden} />`}</p>${r.kind !== "charge" && html`<p class="small soft">${t("household.reminder." + r.kind)}</p>`}</div>
		<div class="acts"><button onClick=${done}>${t("household.web.aside")}<span class="unseen">: ${r.text}</span></button></div>
	</li>`
}

function Open({ c, hidden, reload }) {
	const run = (tool) => tryAct({ tool, args: { subscription: c.subscription, due: c.due } }).then(reload)
	return html`<li class="todo">
		<div><p><${Link} id=${c.subscription} name=${c.name} hidden=${hidden.has(c.subscription)} /></p><p class="small soft">${t("household.web.was.due", money(c.amount, c.currency), day(c.due))}</p></div>
		<div class="acts"><button onClick=${() => run("household_charge_confirm")}>${t("household.web.confirm")}<span class="unseen">: ${c.name}, ${day(c.due)}</span></button>
			<button class="quiet" onClick=${() => run("household_charge_skip")}>${t("household.web.skip")}<span class="unseen">: ${c.name}, ${day(c.due)}</span></button></div>
	</li>`
}

function Saving({ s }) {
	const subs = s.records.filter((r) => r.collection === "household_subscriptions")
	return html`<li class="todo">
		<div><p dir="auto">${s.text}</p>
			<p class="small soft">${subs.map((r, i) => html`${i > 0 && " · "}<a href=${href("/subscriptions/" + r.id)} dir="auto">${r.name}</a>`)}</p></div>
		<p class="number cost">${s.costs.map((c) => html`<span>${c.charged ? money(c.charged, c.currency) : t("household.web.a.year", money(c.per_year, c.currency))}</span>`)}</p>
	</li>`
}
