// The calendar: a month as a grid where there is room, as a list of its days where there is not.
import { Choice, go, html, Icon, Loaded, money, month, read, t, useData, useEffect, useState } from "../../kit.js"
import { pages, useSteady } from "./money.js"
import { Agenda } from "./calendar_agenda.js"
import { Grid } from "./calendar_grid.js"

const watch = ["household_subscriptions", "household_charges", "household_prices", "household_pauses"]

/** The month so many after one, YYYY-MM. */
export function after(m, n) {
	const [y, mo] = m.split("-").map(Number)
	const d = new Date(Date.UTC(2000, 0, 1))
	d.setUTCFullYear(y, mo - 1 + n, 1)
	return String(d.getUTCFullYear()).padStart(4, "0") + "-" + String(d.getUTCMonth() + 1).padStart(2, "0")
}

export default function Calendar({ query }) {
	const home = useData((o) => read("household_settings_get", {}, o), [], { watch: ["household_settings"] })
	return html`<${Loaded} of=${home}>${(h) => html`<${Month} query=${query} today=${h.today} />`}<//>`
}

function Month({ query, today }) {
	const at = /^\d{4}-(0[1-9]|1[0-2])$/.test(query.month) ? query.month : today.slice(0, 7)
	const found = useSteady(useData((o) => pages("household_calendar", { month: at, ...(query.subscription && { subscription: query.subscription }) }, o, 5, "days"), [at, query.subscription], { watch }))
	const wide = useWide()
	const put = (more) => go("/calendar", { ...query, ...more }, { replace: true })
	const show = (m) => put({ month: m })
	return html`<header><h1 class="capital" aria-live="polite">${month(at)}</h1>
			<div class="money-nav">
				<button class="quiet" onClick=${() => show(after(at, -1))}><${Icon} name="back" /><span class="unseen">${t("household.web.month.before")}</span></button>
				<button disabled=${at === today.slice(0, 7)} onClick=${() => show("")}>${t("household.web.money.today")}</button>
				<button class="quiet" onClick=${() => show(after(at, 1))}><${Icon} name="next" /><span class="unseen">${t("household.web.month.after")}</span></button>
			</div></header>
		<${Only} query=${query} put=${put} />
		<${Loaded} of=${found}>${(d) => {
			const days = d.days.reduce((by, x) => by.set(x.date, [...(by.get(x.date) || []), ...x.entries]), new Map()) // a page may end within a day
			const here = d.from.slice(0, 7)
			return html`<${Totals} totals=${d.totals} />
				${wide ? html`<${Grid} month=${here} wanted=${at} days=${days} today=${today} show=${show} />` : html`<${Agenda} days=${days} today=${today} />`}
				${d.next && html`<p class="note">${t("household.web.calendar.more")}</p>`}`
		}}<//>`
}

function Totals({ totals }) {
	if (!totals.length) return null
	return html`<section class="panel"><div class="sums">${totals.map((s) => html`<p key=${s.currency}>
		<b>${t("household.web.paid", money(s.confirmed, s.currency))}</b><br /><span class="soft">${t("household.web.still", money(s.expected, s.currency))}</span></p>`)}</div></section>`
}

// Which subscription alone is shown.
function Only({ query, put }) {
	const all = useData((o) => pages("household_subscription_list", { status: "all" }, o), [], { watch: ["household_subscriptions"] })
	const items = all.data?.items || []
	if (!items.length) return null
	return html`<div class="span"><${Choice} label=${t("household.web.subscription")} value=${query.subscription || ""} onChange=${(e) => put({ subscription: e.target.value })}
		choices=${[["", t("household.web.every")], ...items.map((s) => [s.id, s.name])]} /></div>`
}

const room = matchMedia("(min-width: 48rem)")

function useWide() {
	const [is, set] = useState(room.matches)
	useEffect(() => {
		const tell = () => set(room.matches)
		room.addEventListener("change", tell)
		return () => room.removeEventListener("change", tell)
	}, [])
	return is
}
