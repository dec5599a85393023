// All subscriptions: found, sorted, and several changed at once.
import { Endless, go, href, html, Icon, money, read, signal, t, ticked, today, useComputed, useEffect } from "../../kit.js"
import { below, every, Hidden, Mark, near, Status, useLists } from "./words.js"
import { argsOf, Filter } from "./filter.js"
import { Bulk } from "./bulk.js"
import { ListSum } from "./list_sum.js"

/** What is ticked: id to name. */
const picked = signal(new Map())
/** What all that was asked for costs: {key, totals}; key is of what was asked. */
const cost = signal({})
let last = "" // what was ticked last, for a range
const changing = [...below, "household_settings", "household_rates"]
let rows = [] // all that came, in order: of those far away nothing stands on the page

export default function Subscriptions({ query }) {
	const lists = useLists()
	const args = argsOf(query)
	const filtered = Object.keys(query).some((k) => k !== "sort")
	const key = JSON.stringify(args)
	useEffect(() => {
		picked.value = new Map() // what was ticked under another filter is out of sight
	}, [key])
	useEffect(() => {
		const stop = picked.subscribe((map) => (ticked.value = [...map].map(([id, label]) => ({ collection: "household_subscriptions", id, label }))))
		return () => (stop(), (ticked.value = []))
	}, [])
	const colors = Object.fromEntries(lists.categories.map((c) => [c.id, c.color]))
	const label = t("household.web.subscriptions")
	return html`<header><h1>${label}</h1><a class="button main" href="#/subscriptions/add"><${Icon} name="add" />${t("household.web.add")}</a></header>
		<section class="panel subs">
			<${Filter} query=${query} lists=${lists} />
			<${Cost} of=${key} />
			<${Endless} label=${label} deps=${[key]} watch=${changing}
				load=${async (cursor, o) => {
					const page = await read("household_subscription_list", { ...args, limit: 50, ...(cursor ? { cursor } : { totals: true }) }, o)
					if (page.totals) cost.value = { key, totals: page.totals }
					rows = cursor ? rows.concat(page.items) : page.items
					return page
				}}
				empty=${html`<${None} filtered=${filtered} />`}
				row=${(s) => html`<${Row} s=${s} color=${colors[s.category?.id]} />`} />
		</section>
		<${Bulk} picked=${picked} args=${args} lists=${lists} />`
}

// A signal is read here alone, so that no row is drawn again for it.
const Cost = ({ of }) => cost.value.key === of && cost.value.totals.count > 0 && html`<${ListSum} of=${cost.value.totals} />`

const None = ({ filtered }) => (filtered ? html`${t("household.web.none.match")} <button class="quiet" onClick=${() => go("/subscriptions", {}, { replace: true })}>${t("household.web.filter.clear")}</button>` : html`${t("household.web.none")} <a href="#/import">${t("household.web.begin.import")}</a>`)

function Row({ s, color }) {
	const on = useComputed(() => picked.value.has(s.id)).value
	const facts = [s.category?.name, s.payment_method?.name].filter(Boolean)
	return html`<div class=${on ? "sub on" : "sub"}>
		<label class="pick"><input type="checkbox" data-sub=${s.id} checked=${on} onClick=${(e) => pick(e, s)} /><span class="unseen">${t("household.web.pick", s.name)}</span></label>
		<a class="body" href=${href("/subscriptions/" + s.id)}>
			<${Mark} ...${s} color=${color} />
			<span class="what"><span class="line"><b dir="auto">${s.name}</b>${s.private && html`<${Hidden} />`}${s.status !== "active" && html`<${Status} status=${s.status} />`}</span>
				<span class="small soft">${s.next_charge ? t("household.web.next.on", near(s.next_charge.date, today())) : s.ends_on ? t("household.web.ends.on", near(s.ends_on, today())) : ""}${facts.map((f) => html`<span dir="auto"> · ${f}</span>`)}</span></span>
			<span class="cost"><b class="number">${money(s.next_charge?.amount ?? s.amount, s.currency)}</b><span class="small soft">${every(s.cycle)}</span>${s.cycle !== "P1M" && html`<span class="small soft by-month">${t("household.web.a.month", money(s.per_month, s.currency))}</span>`}</span>
		</a>
	</div>`
}

// One is ticked, or with the shift key all between it and the one before.
function pick(e, s) {
	const to = e.target.checked
	const map = new Map(picked.value)
	const put = (id, name) => (to ? map.set(id, name) : map.delete(id))
	if (e.shiftKey && last) {
		const [a, b] = [last, s.id].map((id) => rows.findIndex((x) => x.id === id))
		if (a >= 0 && b >= 0) for (const x of rows.slice(Math.min(a, b), Math.max(a, b) + 1)) put(x.id, x.name)
	}
	put(s.id, s.name)
	last = s.id
	picked.value = map
}
