// What is done to all that is ticked: one card, one entry, one Undo.
import { because, html, Icon, say, t, tryAct, useEffect, useState } from "../../kit.js"
import { ask } from "./ask.js"
import { whole } from "./words.js"

const most = 500 // that the bulk tools take

/** The bar below the list while something is ticked. */
export function Bulk({ picked, args, lists }) {
	const ids = [...picked.value.keys()]
	const [busy, set] = useState(false)
	useEffect(() => {
		if (!ids.length) return
		const put = (e) => e.key === "Escape" && !document.querySelector("dialog[open]") && (picked.value = new Map())
		addEventListener("keydown", put)
		return () => removeEventListener("keydown", put)
	}, [!ids.length])
	if (!ids.length) return html`<div role="status" class="unseen"></div>`
	const over = ids.length > most

	async function all() {
		set(true)
		try {
			const items = await whole("household_subscription_list", args)
			picked.value = new Map(items.map((s) => [s.id, s.name]))
		} catch (problem) {
			say(because(problem), { bad: true })
		}
		set(false)
	}
	const clear = (result) => result && (picked.value = new Map())
	const options = { card: "always" }
	const title = (key) => key + " (" + ids.length + ")"
	const update = () =>
		ask({
			title: title(t("household.web.bulk.change")), verb: t("household.web.next.step"), options, fields: [
				{ name: "category", label: t("household.web.category"), kind: "choice", choices: [["", t("household.web.unchanged")], ...lists.categories.map((c) => [c.id, c.name]), ["-", t("household.web.without")]] },
				{ name: "payment_method", label: t("household.web.method"), kind: "choice", choices: [["", t("household.web.unchanged")], ...lists.methods.map((c) => [c.id, c.name]), ["-", t("household.web.without")]] },
				{ name: "add_tags", label: t("household.web.tags.add"), hint: t("household.web.tags.hint") },
				{ name: "remove_tags", label: t("household.web.tags.remove"), hint: t("household.web.tags.hint") },
			], request: (v) => ({ tool: "household_subscriptions_bulk_update", args: changes(v, ids) }),
		}).then(clear)
	const pause = () =>
		ask({
			title: title(t("household.web.pause")), verb: t("household.web.next.step"), options, fields: [
				{ name: "from", label: t("household.web.from"), kind: "date", hint: t("household.web.today.else") },
				{ name: "resumes", label: t("household.web.resumes"), kind: "date", hint: t("household.web.unknown.else") },
				{ name: "shift", label: t("household.web.shift"), kind: "tick" },
			], request: (v) => ({ tool: "household_subscriptions_bulk_pause", args: { ids, ...given(v) } }),
		}).then(clear)
	const resume = () =>
		ask({ title: title(t("household.web.resume")), verb: t("household.web.next.step"), options, fields: [{ name: "on", label: t("household.web.resumes"), kind: "date", hint: t("household.web.today.else") }], request: (v) => ({ tool: "household_subscriptions_bulk_resume", args: { ids, ...given(v) } }) }).then(clear)
	const cancel = () =>
		ask({ title: title(t("household.web.cancel")), verb: t("household.web.next.step"), options, fields: [{ name: "last_day", label: t("household.web.last.day"), kind: "date", hint: t("household.web.last.day.else") }], request: (v) => ({ tool: "household_subscriptions_bulk_cancel", args: { ids, ...given(v) } }) }).then(clear)
	const remove = () => tryAct({ tool: "household_subscriptions_bulk_delete", args: { ids } }, options).then(clear)

	return html`<div class="bulk" role="region" aria-label=${t("household.web.bulk")}>
		<p role="status"><b>${t("household.web.picked", ids.length)}</b>${over && html` <span class="small">${t("household.web.picked.most", most)}</span>`}</p>
		<div class="acts">
			<button class="quiet" disabled=${busy} onClick=${all}>${t("household.web.pick.all")}</button>
			<button disabled=${over} onClick=${update}>${t("household.web.bulk.change")}</button>
			<button disabled=${over} onClick=${pause}>${t("household.web.pause")}</button>
			<button disabled=${over} onClick=${resume}>${t("household.web.resume")}</button>
			<button disabled=${over} class="grave" onClick=${cancel}>${t("household.web.cancel")}</button>
			<button disabled=${over} class="grave" onClick=${remove}>${t("household.web.delete")}</button>
			<button class="quiet" onClick=${() => (picked.value = new Map())}><${Icon} name="close" /><span class="unseen">${t("household.web.pick.none")}</span></button>
		</div>
	</div>`
}

/** What was filled in. */
export const given = (values) => Object.fromEntries(Object.entries(values).filter(([, v]) => v !== "" && v !== false && v !== undefined))

export const words = (text) => text.split(",").map((w) => w.trim()).filter(Boolean)

function changes(v, ids) {
	const clear = ["category", "payment_method"].filter((n) => v[n] === "-")
	return {
		ids,
		...given({ category: v.category !== "-" && v.category, payment_method: v.payment_method !== "-" && v.payment_method }),
		...(v.add_tags && { add_tags: words(v.add_tags) }),
		...(v.remove_tags && { remove_tags: words(v.remove_tags) }),
		...(clear.length && { clear }),
	}
}
