// What waits for a nod, and what became of what was decided.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { get, list } from "../lib/api.js"
import { css } from "../lib/css.js"
import { hear } from "../lib/live.js"
import { ago, t } from "../lib/i18n.js"
import { now } from "../lib/clock.js"
import { href, go } from "../lib/router.js"
import { waiting } from "../lib/store.js"
import { isShown } from "../lib/waiting.js"
import { agentName } from "../parts/asker.js"
import { Endless } from "../parts/list.js"
import { Icon } from "../parts/icon.js"
import { Next, State } from "../parts/outcome.js"
import { Proposal } from "../parts/proposal.js"
import { discardAll } from "../parts/refusal.js"
import { Said } from "../parts/said.js"
import { Trouble } from "../parts/state.js"

await css("card")

const pageSize = 50

export default function Inbox({ params, query }) {
	return params.id ? html`<${One} id=${params.id} />` : html`<${Waiting} /><${History} state=${query.state || ""} />`
}

// One card by its address, as links of agents lead to.
function One({ id }) {
	const [p, set] = useState()
	return html`<nav class="acts"><a href=${href("/inbox")} class="back"><${Icon} name="back" />${t("web.inbox")}</a></nav>
		<h1 class="unseen">${t("web.inbox.one")}</h1>
		<${Proposal} id=${id} focus onShow=${set} />
		<div class="acts">${p && html`<${Next} count=${waiting.value - (p.state === "pending" ? 1 : 0)} />`}</div>`
}

// What waited when one came stays where it is, whatever becomes of it: nothing moves under the
// finger. What is new waits above until one wants to see it.
function Waiting() {
	const [s, set] = useState({ items: [], fresh: [], loading: true })
	const own = useRef({})
	own.current.s = s

	async function load(cursor = "") {
		set((s) => ({ ...s, loading: true, problem: null }))
		try {
			let old
			const page = await list("/proposals", { state: "pending", limit: pageSize, cursor }, { old: (at) => (old = at) })
			set((s) => ({ old, fresh: cursor ? s.fresh : [], items: cursor ? [...s.items, ...page.items] : page.items, next: page.next }))
		} catch (problem) {
			set((s) => ({ ...s, loading: false, problem }))
		}
	}
	// Whoever was cut off may have missed some.
	const anew = () =>
		get("/proposals", { state: "pending", limit: pageSize })
			.then((page) => set((s) => ({ ...s, old: null, fresh: page.items.map((p) => p.id).filter((id) => !s.items.some((p) => p.id === id)) })))
			.catch(() => {})
	useEffect(() => {
		load()
		return hear(["nodkeep/proposals"], (topic, event) => {
			const { items, fresh } = own.current.s
			const known = event && (fresh.includes(event.id) || items.some((p) => p.id === event.id))
			if (!event) return anew()
			if (event.state !== "pending") set((s) => ({ ...s, fresh: s.fresh.filter((id) => id !== event.id) }))
			else if (!known && items.length) setTimeout(() => !isShown(event.id) && set((s) => (s.fresh.includes(event.id) ? s : { ...s, fresh: [event.id, ...s.fresh] })), 400) // a card may turn into it by itself
			else if (!known) load()
		})
	}, [])
	async function show() {
		const got = await Promise.all(s.fresh.map((id) => get("/proposals/" + id).catch(() => null)))
		set((s) => ({ ...s, fresh: [], items: [...got.filter((p) => p && !s.items.some((q) => q.id === p.id)), ...s.items] }))
	}

	const decided = (p) => set((s) => ({ ...s, items: s.items.map((q) => (q.id === p.id ? { ...q, state: p.state } : q)) }))
	const none = !s.items.length && !s.loading && !s.problem
	return html`<header class="waiting">
			<h1>${t("web.inbox")}</h1>
			<div class="acts" aria-live="polite">${s.fresh.length > 0 && html`<button onClick=${show}>${t("web.inbox.fresh", s.fresh.length)}</button>`}</div>
		</header>
		<${Agents} items=${s.items} />
		${s.problem && html`<${Trouble} problem=${s.problem} retry=${() => load()} />`}
		${s.old && html`<p class="note warn">${t("web.offline.old", ago(s.old))}</p>`}
		${none && html`<div class="panel nothing">
			<${Icon} name="check" />
			<h2>${t("nod.list.none")}</h2>
			<p class="soft">${t("nod.list.how")}</p>
			<p><a class="button" href=${href("/connect")}>${t("web.inbox.connect")}</a></p>
		</div>`}
		<div class="cards">${s.items.map((p) => html`<${Proposal} key=${p.id} proposal=${p} compact onDone=${decided} />`)}</div>
		${s.loading && html`<p class="empty" aria-busy="true">${t("web.loading")}</p>`}
		${s.next && !s.loading && html`<div class="acts"><button onClick=${() => load(s.next)}>${t("web.inbox.more")}</button></div>`}`
}

// An agent that asks for much is answered at once.
function Agents({ items }) {
	const by = new Map()
	for (const p of items) if (p.state === "pending" && p.actor.agent) by.set(p.actor.agent, { name: agentName(p), count: (by.get(p.actor.agent)?.count || 0) + 1 })
	const several = [...by].filter(([, a]) => a.count > 1)
	return several.length > 0 && waiting.value > 1 && html`<div class="acts">${several.map(([id, a]) => html`<button key=${id} class="quiet small" onClick=${() => discardAll(id, a.name, a.count)}><${Icon} name="close" /><span dir="auto">${t("nod.discard_all", a.count, a.name)}</span></button>`)}</div>`
}

const states = ["", "applied", "discarded", "expired", "failed"]

function History({ state }) {
	return html`<section class="stack past">
		<h2>${t("web.inbox.past")}</h2>
		<div class="acts" role="group" aria-label=${t("web.inbox.filter")}>${states.map((s) => html`<button key=${s} class="chip" aria-pressed=${s === state} onClick=${() => go("/inbox", { state: s }, { replace: true })}>${s ? t("web.state." + s) : t("web.inbox.all")}</button>`)}</div>
		<${Endless} key=${state} deps=${[state]} label=${t("web.inbox.past")} empty=${t(state ? "web.inbox.past.none" : "web.inbox.past.never")} watch=${["nodkeep/proposals"]}
			load=${(cursor, options) => list("/proposals", { state: state || "decided", brief: 1, limit: pageSize, cursor }, options)}
			row=${(p) => html`<a class="past-one" href=${href("/inbox/" + p.id)}>
				<${State} state=${p.state} />
				<span class="what"><${Said} text=${p.card.title.text} /><span class="soft small" dir="auto">${agentName(p)} · ${ago(p.decided || p.expires, now())}</span></span>
				<${Icon} name="next" />
			</a>`} />
	</section>`
}
