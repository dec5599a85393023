// One line of the list of activity. There may be ten thousand: it is as little as says what was done.
import { html } from "../lib/html.js"
import { href } from "../lib/router.js"
import { moment, t } from "../lib/i18n.js"

/** An entry; a click opens it over the list, so that the list stays where it is. */
export function EntryRow({ entry: e, open }) {
	const to = href("/activity/" + e.id)
	const press = (event) => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return
		event.preventDefault()
		open(e.id)
	}
	const what = summary(e)
	return html`${e.day && html`<h2 class="activity-day capital">${e.day}</h2>`}
		<a class="activity-row" href=${to} onClick=${press}>
			<span class="activity-what"><b dir="auto">${titleOf(e)}</b>${what && html`<span class="soft" dir="auto">${what}</span>`}</span>
			<span class="activity-who soft small"><span dir="auto">${whoOf(e)}</span><time datetime=${e.created}>${moment(e.created, { timeStyle: "short" })}</time></span>
			<${State} entry=${e} />
		</a>`
}

/** How it ended, where that is not as one expects. */
export function State({ entry: e }) {
	if (e.undone_by) return html`<span class="chip">${t("web.activity.undone")}</span>`
	if (e.state === "applied") return null
	return html`<span class=${e.state === "discarded" ? "chip" : "chip bad"}>${t("web.activity.state." + e.state)}</span>`
}

/** What was done, in words. */
export function titleOf(e) {
	if (e.tool === "ask") return t("web.activity.ask")
	if (e.tool === "nodkeep_undo") return t("web.activity.undo")
	const [first] = e.changes
	return e.title?.text || e.tool || (first ? t("web.change." + first.op, first.label) : t("web.activity.hidden"))
}

/** What it touched, in short. */
export function summary(e) {
	if (e.tool === "ask" && e.args) {
		return [e.args.assistant, tokens(e.args) > 0 && t("web.activity.tokens", tokens(e.args)), e.args.changes > 0 && t("web.activity.changed", e.args.changes)].filter(Boolean).join(" · ")
	}
	const [first] = e.changes
	const rest = e.changes.length - 1 + e.unseen
	if (!first || !(e.title?.text || e.tool)) return e.reason || "" // what has no name is called by what it did
	return rest > 0 ? t("web.activity.and", first.label, rest) + (e.more ? "+" : "") : first.label
}

/** All tokens of a question. */
export const tokens = (a) => (a.input_uncached || 0) + (a.cache_read || 0) + (a.cache_write || 0) + (a.output || 0)

/** Who it was, and through what. */
export function whoOf(e) {
	const { actor } = e
	const door = actor.door && t("web.activity.door." + actor.door)
	const who = e.handle || (actor.person || actor.door === "hook" ? "" : actor.door ? t("web.activity.machine") : t("web.activity.somebody"))
	return [who, actor.agent && (actor.agent_name || actor.agent), door].filter(Boolean).join(" · ")
}

