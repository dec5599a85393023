// Everything that was done, and by whom: to look up, narrow, take back and carry away.
import { html, useCallback, useEffect, useRef, useState } from "../lib/html.js"
import { get, list } from "../lib/api.js"
import { dayOf } from "../lib/clock.js"
import { day, t } from "../lib/i18n.js"
import { go } from "../lib/router.js"
import { hear } from "../lib/live.js"
import { over } from "../lib/over.js"
import { me, plugins } from "../lib/store.js"
import { css } from "../lib/css.js"
import { Endless } from "../parts/list.js"
import { Icon } from "../parts/icon.js"
import { EntryRow } from "./activity_row.js"
import { Filters, count, wanted } from "./activity_filter.js"

await css("activity")

export default function Activity({ query }) {
	const [begun, anew] = useState(0)
	const [fresh, see] = useState(0)
	const [seen, meet] = useState({}) // persons and agents that were met, by id
	const newest = useRef("")
	const last = useRef("")
	const asked = wanted(query)
	const key = JSON.stringify(asked)

	// The first entry of each day stands under the day.
	const load = async (cursor, o) => {
		// The first page is kept for when there is no network.
		const page = await (cursor ? get : list)("/audit", { ...asked, limit: 50, cursor }, o)
		if (!cursor) {
			last.current = ""
			newest.current = page.items[0]?.created || new Date(0).toISOString()
			see(0)
		}
		for (const e of page.items) {
			const date = day(dayOf(e.created), { dateStyle: "full" })
			if (date !== last.current) e.day = last.current = date
		}
		meet((s) => met(s, page.items))
		return page
	}

	// What is new is counted, and shown when it is wanted: nothing jumps.
	useEffect(() => {
		let timer
		const topics = ["nodkeep/proposals", ...plugins.value.flatMap((p) => p.collections || [])]
		const tell = () => {
			clearTimeout(timer)
			timer = setTimeout(async () => {
				if (!newest.current || asked.until) return
				try {
					const page = await get("/audit", { ...asked, since: newest.current, limit: 50 })
					see(page.items.filter((e) => e.created > newest.current).length)
				} catch {} // the next change asks again
			}, 300)
		}
		const end = hear(topics, tell)
		return () => (end(), clearTimeout(timer))
	}, [key])

	const open = useCallback(async (id) => {
		const { EntrySheet } = await import("./activity_entry.js")
		if (await over(EntrySheet, { id })) anew((n) => n + 1)
	}, [])
	const row = useCallback((e) => html`<${EntryRow} entry=${e} open=${open} />`, [])

	return html`<header><h1>${t("web.activity")}</h1><${Acts} asked=${asked} /></header>
		<${Filters} query=${query} seen=${seen} />
		${fresh > 0 && html`<div class="activity-new" role="status"><button class="main" onClick=${() => (anew((n) => n + 1), scrollTo({ top: 0 }))}>${t("web.activity.new", fresh)}</button></div>`}
		<section class="panel activity-list">
			<${Endless} steady label=${t("web.activity")} load=${load} row=${row} deps=${[key, begun]} empty=${html`
				${t(count(query) ? "web.activity.none" : "web.activity.empty")}
				${count(query) > 0 && html`<p><button onClick=${() => go("/activity", {}, { replace: true })}>${t("web.activity.clear")}</button></p>`}
			`} />
		</section>`
}

// Whoever operates the instance may ask whether anybody has changed the list.
function Acts({ asked }) {
	const carry = async () => over((await import("./activity_export.js")).Export, { asked })
	const check = async () => over((await import("./activity_chain.js")).Chain)
	return html`<div class="acts activity-acts">
		${me.value.operator && html`<button class="quiet" onClick=${check}><${Icon} name="check" />${t("web.activity.check")}</button>`}
		<button class="quiet" onClick=${carry}><${Icon} name="import" />${t("web.activity.export")}</button>
	</div>`
}

function met(seen, items) {
	const next = { ...seen }
	for (const e of items) {
		if (e.handle) next["person " + e.actor.person] = e.handle
		if (e.actor.agent) next["agent " + e.actor.agent] = e.actor.agent_name || e.actor.agent
		if (e.tool && e.title) next["tool " + e.tool] = e.title.text
	}
	return Object.keys(next).length === Object.keys(seen).length ? seen : next
}
