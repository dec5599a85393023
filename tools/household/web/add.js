// A new subscription.
import { act, go, html, Loaded, me, read, say, t, undo, useData } from "../../kit.js"
import { decimal } from "./words.js"
import { given, words } from "./bulk.js"
import { Form, useDraft } from "./form.js"

export default function Add() {
	const settings = useData((o) => read("household_settings_get", {}, o))
	return html`<header><h1>${t("household.title.subscription_add")}</h1></header><${Loaded} of=${settings}>${(s) => html`<${New} settings=${s} />`}<//>`
}

function New({ settings }) {
	const blank = { name: "", amount: "", currency: settings.currency, cycle: "P1M", first_date: "", owner: me.value.id, tags: "" }
	const [v, put, forget, restored] = useDraft("add", blank)

	async function submit() {
		const made = v.made ? { output: { id: v.made, name: v.name } } : await act({ tool: "household_subscription_add", args: argsOf(v) }, { quiet: true })
		if (!made) return
		const id = made.output.id
		const done = [...(v.audit || []), ...(made.receipt?.audit || [])]
		put("made", id) // what comes after may fail: then it is not added once more
		put("audit", done)
		const terms = given({ min_term: v.min_term, extension: v.extension, notice: v.notice })
		if (Object.keys(terms).length) done.push(...(await act({ tool: "household_subscription_terms", args: { id, ...terms } }, { quiet: true })).receipt.audit)
		if (v.even && !v.private) done.push(...(await act({ tool: "household_subscription_share", args: { id, shares: await everybody() } }, { quiet: true })).receipt.audit)
		forget()
		say(t("household.web.added", made.output.name), { act: { label: t("web.undo"), run: () => undo({ audit: done }) } })
		go("/subscriptions/" + id, {}, { replace: true })
	}
	return html`${restored && html`<p class="note">${t("household.web.draft")} <button class="quiet" onClick=${() => forget(blank)}>${t("household.web.draft.forget")}</button></p>`}
		<${Form} values=${v} put=${put} submit=${submit} verb=${t("household.web.add")} />`
}

async function everybody() {
	const { items } = await (await import("../../kit.js")).list("/api/collections/users/records", { perPage: 200, sort: "handle", fields: "id" })
	return items.map((m) => ({ member: m.id, weight: 1 }))
}

const argsOf = (v) => ({
	name: v.name.trim(), amount: decimal(v.amount), cycle: v.cycle,
	...given({
		currency: v.currency.trim(), first_date: v.first_date, category: v.category, payment_method: v.payment_method, private: !!v.private, owner: v.owner !== me.value.id && v.owner,
		merchant: v.merchant, url: v.url?.trim(), account: v.account, notes: v.notes, ...(v.trial && { trial_ends_on: v.trial_ends_on, decide_by: v.decide_by }),
	}),
	...(words(v.tags).length && { tags: words(v.tags) }),
	...(v.remind_days !== undefined && v.remind_days !== "" && { remind_days: Number(v.remind_days) }),
})
