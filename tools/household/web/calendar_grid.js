// A month as a grid: one stop for the Tab key, arrows go from day to day, Page Up and Down from month to month.
import { day, html, lang, money, over, Sheet, t, useLayoutEffect, useRef, useState } from "../../kit.js"
import { Entries, Spot, words } from "./calendar_entry.js"

const shown = 3 // entries of a day; the others are counted

/** The first day of the week where the reader is: 1 is Monday, 7 Sunday. */
function firstDay() {
	const name = navigator.languages.find((l) => l.slice(0, 2) === lang.value) || lang.value
	try {
		const locale = new Intl.Locale(name)
		const info = locale.getWeekInfo?.() || locale.weekInfo
		if (info?.firstDay) return info.firstDay
	} catch {}
	return name === "en-US" ? 7 : 1
}

const add = (date, n) => new Date(Date.parse(date + "T00:00:00Z") + n * 86400000).toISOString().slice(0, 10)
const weekday = (date) => new Date(date + "T00:00:00Z").getUTCDay() || 7

// All weeks that have a day of the month.
function weeks(month) {
	const rows = []
	let date = add(month + "-01", -((weekday(month + "-01") - firstDay() + 7) % 7))
	do {
		rows.push([...Array(7).keys()].map((n) => add(date, n)))
		date = add(date, 7)
	} while (date.slice(0, 7) === month)
	return rows
}

/** A month of days; wanted is the month that show(month) asked for last, which may still be on its way. */
export function Grid({ month, wanted, days, today, show }) {
	const rows = weeks(month)
	const [at, set] = useState(today.slice(0, 7) === month ? today : month + "-01")
	const moved = useRef(false)
	const grid = useRef()
	const here = at.slice(0, 7) === month ? at : month + "-01"

	useLayoutEffect(() => {
		if (!moved.current || at.slice(0, 7) !== month) return // its month is on its way
		moved.current = false
		grid.current.querySelector("[tabindex='0']")?.focus()
	}, [at, month])

	function key(e) {
		const from = moved.current ? at : here // its month may still be on its way
		const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -((weekday(from) - firstDay() + 7) % 7), End: 6 - ((weekday(from) - firstDay() + 7) % 7) }
		let to
		if (e.key in steps) to = add(from, steps[e.key] * (e.key.startsWith("Arrow") && e.key.length > 8 && getComputedStyle(grid.current).direction === "rtl" ? -1 : 1))
		else if (e.key === "PageUp" || e.key === "PageDown") to = sameDay(from, e.key === "PageUp" ? -1 : 1)
		else return
		e.preventDefault()
		moved.current = true
		set(to)
		if (to.slice(0, 7) !== wanted) show(to.slice(0, 7))
	}

	return html`<table class="month" role="grid" ref=${grid} onKeyDown=${key} aria-label=${day(month + "-01", { month: "long", year: "numeric" })}>
		<thead><tr>${rows[0].map((d) => html`<th scope="col" key=${d} abbr=${day(d, { weekday: "long" })}>${day(d, { weekday: "short" })}</th>`)}</tr></thead>
		<tbody>${rows.map((week) => html`<tr key=${week[0]}>${week.map((d) => (d.slice(0, 7) === month ? html`<${Day} key=${d} date=${d} entries=${days.get(d) || []} now=${d === today} tab=${d === here} pick=${() => set(d)} />` : html`<td key=${d} class="out"></td>`))}</tr>`)}</tbody>
	</table>`
}

// The same day of another month, or that month's last.
function sameDay(date, n) {
	const [y, m, d] = date.split("-").map(Number)
	const last = new Date(Date.UTC(y, m + n, 0)).getUTCDate()
	return new Date(Date.UTC(y, m - 1 + n, Math.min(d, last))).toISOString().slice(0, 10)
}

function Day({ date, entries, now, tab, pick }) {
	const name = [day(date, { weekday: "long", day: "numeric", month: "long" }), now && t("household.web.money.today"), entries.length > 0 && t("household.web.entries", entries.length)].filter(Boolean).join(", ")
	const open = () => (pick(), entries.length && over(DaySheet, { date, entries }))
	return html`<td class=${now ? "now" : ""} aria-current=${now ? "date" : undefined}><button tabindex=${tab ? 0 : -1} onClick=${open} aria-haspopup=${entries.length ? "dialog" : undefined}>
		<span class="unseen">${name}</span><span class="dayno" aria-hidden="true">${day(date, { day: "numeric" })}</span>
		${entries.slice(0, entries.length > shown ? shown - 1 : shown).map((e, i) => html`<span class="happens" key=${i}><${Spot} e=${e} /><span dir="auto">${e.name}</span><span class="unseen">: ${words(e)}</span>${e.kind === "charge" && e.state !== "skipped" && html`<span class="cost">${money(e.amount, e.currency)}</span>`}</span>`)}
		${entries.length > shown && html`<span class="soft">${t("household.web.and.more", entries.length - shown + 1)}</span>`}
	</button></td>`
}

function DaySheet({ date, entries, done }) {
	return html`<${Sheet} title=${day(date, { dateStyle: "full" })} close=${() => done()} acts=${html`<button onClick=${() => done()}>${t("web.close")}</button>`}>
		<${Entries} date=${date} entries=${entries} done=${() => done()} />
	<//>`
}
