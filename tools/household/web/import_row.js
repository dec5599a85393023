// One payment that comes again and again, with the lines that say so.
import { day, Field, href, html, Icon, money, t, useMemo, useState } from "../../kit.js"
import { CycleChoice } from "./length.js"
import { decimal, every } from "./words.js"

/** tick(i, on) and edit(i, change) are told; it is drawn again only when it is another. */
export function Row({ i, row, edits, ticked, tick, edit }) {
	const [open, unfold] = useState(false)
	const [editing, change] = useState(false)
	return useMemo(() => {
		const r = { ...row, ...edits }
		return html`<div role="listitem" class="import-row">
			<label class="import-head">
				<input type="checkbox" checked=${ticked} onChange=${(e) => tick(i, e.target.checked)} />
				<span class="import-name"><b dir="auto">${r.name || r.merchant}</b>${r.name && r.name !== r.merchant && html`<span class="soft small" dir="auto">${r.merchant}</span>`}
					<span class="acts import-marks"><${Status} row=${row} />${row.confidence < 0.9 && html`<span class=${"chip" + (row.confidence < 0.75 ? " warn" : "")}>${t(row.confidence < 0.75 ? "household.web.import.unsure" : "household.web.import.likely")}</span>`}${!row.active && html`<span class="chip">${t("household.web.import.ended")}</span>`}${edits && html`<span class="chip">${t("household.web.import.edited")}</span>`}</span></span>
				<span class="import-price"><b class="number">${money(r.amount, r.currency)}</b><span class="soft small">${every(r.cycle)}</span></span>
			</label>
			<div class="acts import-acts">
				<button class="quiet" aria-expanded=${open} onClick=${() => unfold(!open)}>${t("household.web.import.evidence", row.evidence.length)}</button>
				<button class="quiet" aria-expanded=${editing} aria-label=${t("household.web.import.edit") + ": " + (r.name || r.merchant)} onClick=${() => change(!editing)}>${t("household.web.import.edit")}</button>
				${row.known && html`<a class="button quiet" href=${href("/subscriptions/" + row.known)}>${t("household.web.import.known.look")}<${Icon} name="next" /></a>`}
			</div>
			${editing && html`<${Edit} row=${r} of=${row} put=${(c) => edit(i, c && { ...edits, ...c })} />`}
			${open && html`<${Evidence} row=${row} />`}
		</div>`
	}, [row, edits, ticked, tick, edit, open, editing])
}

function Status({ row }) {
	if (row.status === "new") return html`<span class="chip good">${t("household.web.import.status.new")}</span>`
	return html`<span class=${row.status === "known" ? "chip" : "chip warn"}>${t("household.web.import.status." + row.status)}</span>`
}

// What the file says stays; what stands here is taken in its place.
function Edit({ row: r, of, put }) {
	const text = (label, name, more) => html`<${Field} label=${label} value=${r[name] || ""} onInput=${(e) => put({ [name]: e.target.value })} ...${more} />`
	return html`<div class="stack import-edit">
		${of.status === "new" && text(t("household_subscriptions.name"), "name", { placeholder: r.merchant, maxlength: 120, dir: "auto" })}
		<div class="grid">
			<${Field} label=${t("household_subscriptions.amount") + " (" + r.currency + ")"} inputmode="decimal" value=${r.amount} onChange=${(e) => put({ amount: decimal(e.target.value) })} />
			<${CycleChoice} label=${t("household_subscriptions.cycle")} value=${r.cycle} put=${(cycle) => put({ cycle })} />
			${text(t("household.web.import.first"), "first_date", { type: "date", max: r.last_date })}
		</div>
		<div class="acts"><button class="quiet" onClick=${() => put(null)}>${t("household.web.import.as_file")}</button></div>
	</div>`
}

function Evidence({ row: r }) {
	return html`<div class="stack">
		${r.prices.length > 1 && html`<p class="soft small">${r.prices.map((p, n) => html`${n > 0 && " → "}<span class="number">${t("household.web.import.price", money(p.amount, r.currency), day(p.from))}</span>`)}</p>`}
		<div class="scroll" tabindex="0" role="group" aria-label=${t("household.web.import.evidence", r.evidence.length)}><table class="import-evidence">
			<thead><tr><th scope="col">${t("household.web.import.row_line")}</th><th scope="col">${t("household.web.import.date")}</th><th scope="col">${t("household.web.import.text")}</th><th scope="col" class="number">${t("household_subscriptions.amount")}</th></tr></thead>
			<tbody>${r.evidence.map((e) => html`<tr><td>${e.line}</td><td>${day(e.date)}</td><td dir="auto">${e.text}</td><td class="number">${money(e.amount, r.currency)}</td></tr>`)}</tbody>
		</table></div>
	</div>`
}
