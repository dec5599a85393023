// The rows that were found: to look over, to tick, to set right; then one card for all.
import { act, day, html, money, t, Trouble, useCallback, useState } from "../../kit.js"
import { Row } from "./import_row.js"

const sure = 0.75 // from here on a row is ticked

/** work holds the review and what was ticked and changed of it; put(change) keeps that. */
export function Review({ work: w, put }) {
	const { review: r } = w
	const [state, say] = useState({})
	const chosen = w.chosen || new Set(r.subscriptions.flatMap((s, i) => (s.confidence >= sure || r.assistant ? [i] : [])))
	const edits = w.edits || {}
	const all = chosen.size === r.subscriptions.length

	const tick = useCallback((i, on) => put({ chosen: flipped(chosen, i, on) }), [chosen])
	const edit = useCallback((i, change) => put({ edits: { ...edits, [i]: change } }), [edits])
	const everyone = (on) => put({ chosen: new Set(on ? r.subscriptions.keys() : []) })

	async function take() {
		say({ busy: true })
		const subscriptions = r.subscriptions.flatMap((s, i) => (chosen.has(i) ? [{ ...s, ...edits[i] }] : []))
		try {
			const done = await act({ tool: "household_import_apply", args: { file: r.file, fingerprint: r.fingerprint, subscriptions } }, { card: "always" })
			say({})
			if (done) put({ done })
		} catch (problem) {
			say({ problem })
		}
	}

	return html`
		<${Totals} review=${r} />
		${r.subscriptions.length === 0 ? html`<p class="panel empty">${t("household.web.import.none")}</p>` : html`
			<section class="panel import-rows">
				<label class="tick import-all"><input type="checkbox" checked=${all} onChange=${(e) => everyone(e.target.checked)} /><span>${t("household.web.import.all", r.subscriptions.length)}</span></label>
				<div role="list" aria-label=${t("household.web.import.found")}>${r.subscriptions.map((s, i) => html`<${Row} key=${i} i=${i} row=${s} edits=${edits[i]} ticked=${chosen.has(i)} tick=${tick} edit=${edit} />`)}</div>
			</section>`}
		<${Rest} review=${r} />
		${r.subscriptions.length > 0 && html`<div class="import-bar">
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="row"><span aria-live="polite">${t("household.web.import.chosen", chosen.size)}</span>
				<button class="main" disabled=${!chosen.size || state.busy} onClick=${take}>${t("household.web.import.take")}</button></div>
		</div>`}`
}

function flipped(set, i, on) {
	const next = new Set(set)
	on ? next.add(i) : next.delete(i)
	return next
}

// How a file was read, as a person can check it: which date comes of 1/2, and what a comma in an amount is.
function howRead(format) {
	const [, facts] = /^csv \((.*)\)$/.exec(format) || []
	if (!facts) return format === "document" ? "" : format
	const all = facts.split(", ") // of an amount the comma has nothing behind it
	const order = all.find((f) => /^[DMY]{3}$/.test(f)), amount = all.find((f) => /^1[.,]234/.test(f))
	return [t("household.web.import.csv"), order && t("household.web.import.order." + order), amount && t("household.web.import.amounts", amount)].filter(Boolean).join(" · ")
}

// To be held against the printed statement.
function Totals({ review: r }) {
	const p = r.parsed
	return html`<section class="panel">
		<p class="row"><b dir="auto">${r.file || t("household.web.import.pasted")}</b><span class="soft small">${howRead(r.format)}</span></p>
		${r.assistant && html`<p class="note">${t("household.web.import.by", r.assistant.name)}</p>`}
		${p.transactions > 0 && html`<p>${t("household.web.import.parsed", p.transactions, day(p.first_date), day(p.last_date))}</p>
			<dl class="import-sums">
				<div><dt>${t("household.web.import.out")}</dt><dd class="number">${money(p.sum_out, p.currency)}</dd></div>
				<div><dt>${t("household.web.import.in")}</dt><dd class="number">${money(p.sum_in, p.currency)}</dd></div>
			</dl>`}
	</section>`
}

const shown = 200 // lines of each kind; who wants more has the file

// What was left out of the rows, and why.
function Rest({ review: r }) {
	return html`
		${r.skipped.length > 0 && html`<details class="panel"><summary>${t("household.web.import.skipped", r.skipped.length)}</summary>
			<ul class="import-lines">${r.skipped.slice(0, shown).map((s) => html`<li>${s.line > 0 && html`<span class="soft number">${t("household.web.import.line", s.line)}</span> `}<span dir="auto">${s.reason.text}</span></li>`)}</ul>
			${r.skipped.length > shown && html`<p class="soft">${t("household.web.import.rest", r.skipped.length - shown)}</p>`}</details>`}
		${r.duplicates.length > 0 && html`<details class="panel"><summary>${t("household.web.import.duplicates", r.duplicates.length)}</summary>
			<ul class="import-lines">${r.duplicates.slice(0, shown).map((d) => html`<li>${t("household.web.import.same", d.line, d.of)}</li>`)}</ul>
			${r.duplicates.length > shown && html`<p class="soft">${t("household.web.import.rest", r.duplicates.length - shown)}</p>`}</details>`}`
}
