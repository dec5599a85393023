// A subscription that is changed. Only what was changed here is sent: what another changes meanwhile stays.
import { act, go, html, Loaded, read, t, useData, useState } from "../../kit.js"
import { below, decimal } from "./words.js"
import { words } from "./bulk.js"
import { Form, useDraft } from "./form.js"
import { Gone } from "./subscription.js"

export default function Edit({ params: { id } }) {
	const one = useData((o) => read("household_subscription_get", { id }, o), [id], { watch: below })
	if (one.problem?.kind === "not_found") return html`<${Gone} name=${one.data?.name} />`
	return html`<${Loaded} of=${one}>${(s) => html`<${Change} s=${s} />`}<//>`
}

const texts = ["merchant", "url", "account", "notes", "category", "payment_method"]

const valuesOf = (s) => ({
	name: s.name, amount: s.amount, currency: s.currency, cycle: s.cycle, first_date: s.first_date, trial: !!s.trial, trial_ends_on: s.trial?.ends_on || "", decide_by: s.trial?.decide_by || "",
	category: s.category?.id || "", payment_method: s.payment_method?.id || "", tags: (s.tags || []).join(", "), owner: s.owner || "", private: s.private,
	merchant: s.merchant || "", url: s.url || "", account: s.account || "", notes: s.notes || "", remind_days: s.remind_days === undefined ? "" : String(s.remind_days),
})

function Change({ s }) {
	const now = valuesOf(s)
	const [first] = useState(now)
	const [kept, put, forget, restored] = useDraft("edit." + s.id, { base: first })
	const base = kept.base
	// What nobody touched here is shown as it is now; what was touched stays as it was typed.
	const v = { ...now, ...Object.fromEntries(Object.entries(kept).filter(([n]) => n !== "base" && (!(n in base) || kept[n] !== base[n]))) }
	const theirs = Object.keys(now).some((n) => now[n] !== base[n])

	async function submit() {
		const args = { id: s.id }
		const clear = []
		const changed = (n) => v[n] !== now[n]
		for (const n of ["name", "currency", "cycle", "first_date", "owner", "private"]) if (changed(n)) args[n] = typeof v[n] === "string" ? v[n].trim() : v[n]
		for (const n of texts) if (changed(n)) v[n].trim() ? (args[n] = v[n].trim()) : clear.push(n)
		if (decimal(v.amount) !== now.amount || changed("currency")) args.amount = decimal(v.amount)
		if (args.amount && v.dated) args.price_from = v.price_from || ""
		if (changed("tags")) words(v.tags).length ? (args.tags = words(v.tags)) : clear.push("tags")
		if (changed("remind_days")) v.remind_days === "" ? clear.push("remind_days") : (args.remind_days = Number(v.remind_days))
		if (!v.trial && now.trial) clear.push("trial_ends_on")
		else if (v.trial) for (const n of ["trial_ends_on", "decide_by"]) if (changed(n) && v[n]) args[n] = v[n]
		if (clear.length) args.clear = clear
		if (Object.keys(args).length > 1 && !(await act({ tool: "household_subscription_update", args }))) return
		forget()
		go("/subscriptions/" + s.id, {}, { replace: true })
	}
	return html`<header><h1 dir="auto">${t("household.web.edit.one", s.name)}</h1></header>
		${restored && !theirs && html`<p class="note">${t("household.web.draft")} <button class="quiet" onClick=${() => forget({ base: now })}>${t("household.web.draft.forget")}</button></p>`}
		${theirs && html`<p class="note warn" role="status">${t("household.web.edit.theirs")} <button class="quiet" onClick=${() => forget({ base: now })}>${t("household.web.draft.forget")}</button></p>`}
		<${Form} values=${v} put=${put} submit=${submit} edit base=${now} verb=${t("household.web.save")} />`
}
