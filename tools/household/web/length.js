// How long something is, or how often it comes: a number and its unit.
import { Choice, Field, html, t, useState } from "../../kit.js"
import { every } from "./words.js"

const parse = (s) => /^P(\d+)([DWMY])$/.exec(s || "") || [, "", "M"]

/** A length such as P24M, or "" for none. */
export function Length({ label, hint, fault, value, put, units = ["D", "W", "M", "Y"] }) {
	const [, n, kept] = parse(value)
	const [unit, set] = useState(kept)
	const say = (n, unit) => put(n && Number(n) > 0 ? "P" + Number(n) + unit : "")
	const names = { D: t("household.web.unit.days"), W: t("household.web.unit.weeks"), M: t("household.web.unit.months"), Y: t("household.web.unit.years") }
	return html`<${Field} label=${label} hint=${hint} fault=${fault} control=${(p) => html`<span class="length">
		<input ...${p} type="number" min="1" max="999" inputmode="numeric" value=${n} onInput=${(e) => say(e.target.value, unit)} />
		<select aria-label=${label + ": " + t("household.web.unit")} onChange=${(e) => (set(e.target.value), say(n, e.target.value))}>${units.map((u) => html`<option value=${u} selected=${u === unit}>${names[u]}</option>`)}</select>
	</span>`} />`
}

const usual = ["P1W", "P2W", "P4W", "P1M", "P2M", "P3M", "P6M", "P1Y", "P2Y"]

/** How often it is charged: what is usual in words, and any other. */
export function CycleChoice({ label, fault, value, put }) {
	const [other, set] = useState(value && !usual.includes(value))
	const choices = [...usual.map((c) => [c, every(c)]), ["other", t("household.web.cycle.other")]]
	const chosen = (v) => {
		set(v === "other")
		if (v !== "other") put(v)
	}
	return html`<div class="stack tight">
		<${Choice} label=${label} fault=${!other && fault} choices=${choices} value=${other ? "other" : value} onChange=${(e) => chosen(e.target.value)} />
		${other && html`<${Length} label=${t("household.web.cycle.own")} fault=${fault} units=${["W", "M", "Y"]} value=${value} put=${put} />`}
	</div>`
}
