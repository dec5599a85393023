// What the list of activity is narrowed to. It stands in the address, so that it can be kept and sent.
import { html, useState } from "../lib/html.js"
import { list } from "../lib/api.js"
import { unwall } from "../lib/clock.js"
import { t } from "../lib/i18n.js"
import { go } from "../lib/router.js"
import { me } from "../lib/store.js"
import { useData } from "../lib/data.js"
import { Choice, Field } from "../parts/field.js"
import { Icon } from "../parts/icon.js"

const fields = ["person", "agent", "tool", "state", "since", "until", "record"]

/** What is asked of the server: days of the address are of the person's time zone. */
export function wanted(query) {
	const asked = {}
	for (const name of fields) if (query[name]) asked[name] = query[name]
	const moment = (date, days) => {
		const next = new Date(Date.parse(date) + days * 86400000)
		const at = Number.isNaN(next.getTime()) ? next : unwall(next.toISOString().slice(0, 10) + "T00:00:00")
		return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
	}
	if (asked.since) asked.since = moment(asked.since, 0)
	if (asked.until) asked.until = moment(asked.until, 1) // the day is meant whole
	if (asked.person === "me") asked.person = me.value.id
	return asked
}

/** How many filters are set. */
export const count = (query) => fields.filter((name) => query[name]).length

export function Filters({ query, seen }) {
	const [open, fold] = useState(false)
	const set = (change) => go("/activity", { ...query, ...change }, { replace: true })
	const flip = (name, value) => set({ [name]: query[name] === value ? "" : value })
	const n = count(query)
	const press = (name, value, label) => html`<button class="chip" aria-pressed=${query[name] === value} onClick=${() => flip(name, value)}>${label}</button>`
	return html`<div class="stack">
		<div class="acts" role="group" aria-label=${t("web.activity.filter")}>
			${press("person", "me", t("web.activity.mine"))}
			${press("state", "refused", t("web.activity.state.refused"))}
			${press("tool", "ask", t("web.activity.asked"))}
			<button class="chip" aria-expanded=${open} onClick=${() => fold(!open)}><${Icon} name="filter" />${n ? t("web.activity.filters", n) : t("web.activity.filter")}</button>
			${n > 0 && html`<button class="chip" onClick=${() => go("/activity", {}, { replace: true })}><${Icon} name="close" />${t("web.activity.clear")}</button>`}
		</div>
		${open && html`<${Panel} query=${query} seen=${seen} set=${set} />`}
	</div>`
}

// What one can choose from: what there is, and what was met in the list.
function Panel({ query, seen, set }) {
	const known = useData(async (o) => {
		const [tokens, assistants, tools] = await Promise.all([list("/tokens", { limit: 200 }, o), list("/me/assistants", {}, o), list("/tools", {}, o)])
		return { agents: [...tokens.items, ...assistants.items].map((a) => [a.id, a.name]), tools: tools.items.filter((x) => x.effect !== "read").map((x) => [x.name, x.title]) }
	})
	const choices = (name, more, every) => {
		const all = new Map(more || [])
		for (const [key, label] of Object.entries(seen)) if (key.startsWith(name + " ")) all.set(key.slice(name.length + 1), label)
		if (query[name] && !all.has(query[name])) all.set(query[name], query[name])
		return [["", every], ...[...all].sort((a, b) => a[1].localeCompare(b[1]))]
	}
	const pick = (name) => ({ value: query[name] || "", onChange: (e) => set({ [name]: e.target.value }) })
	const states = ["applied", "refused", "discarded", "failed"].map((s) => [s, t("web.activity.state." + s)])
	return html`<section class="panel activity-filter">
		<${Choice} label=${t("web.activity.person")} choices=${choices("person", [["me", t("web.activity.me")]], t("web.activity.everybody"))} ...${pick("person")} />
		<${Choice} label=${t("web.activity.agent")} choices=${choices("agent", known.data?.agents, t("web.activity.any"))} ...${pick("agent")} />
		<${Choice} label=${t("web.activity.tool")} choices=${choices("tool", [...(known.data?.tools || []), ["ask", t("web.activity.ask")], ["nodkeep_undo", t("web.activity.undo")]], t("web.activity.any"))} ...${pick("tool")} />
		<${Choice} label=${t("web.activity.state")} choices=${[["", t("web.activity.any")], ...states]} ...${pick("state")} />
		<${Field} label=${t("web.activity.since")} type="date" ...${pick("since")} />
		<${Field} label=${t("web.activity.until")} type="date" ...${pick("until")} />
	</section>`
}
