// A long list, 50 at a time as one scrolls. Blocks that are out of sight cost nothing to draw,
// and of those that are far away there is but the height: ten thousand rows are as light as two hundred.
import { html, useEffect, useMemo, useRef, useState } from "../lib/html.js"
import { hear } from "../lib/live.js"
import { ago, t } from "../lib/i18n.js"
import { Trouble } from "./state.js"

/**
 * Loads pages by load(cursor, options), which gives {items, next}, and draws each item by row.
 * When deps change it begins anew; when turn does, or something of watch, what is shown is asked for again.
 * With steady, what was shown stays until what is shown instead is there.
 */
export function Endless({ load, row, deps = [], watch = [], turn, empty, label, onLoaded, steady }) {
	const [blocks, set] = useState([]) // [{items, next, cursor}]
	const [state, say] = useState({ loading: true })
	const end = useRef()
	const own = useRef({})

	async function more(from, begin) {
		const cut = own.current.anew && !begin // what is shown was being asked for again
		own.current.abort?.abort()
		const abort = (own.current.abort = new AbortController())
		say({ loading: true })
		try {
			let old
			const page = await load(from, { signal: abort.signal, old: (at) => (old = at) })
			own.current.anew = null
			set((b) => (begin ? [page] : [...b, page]))
			say({ loading: false, old })
			onLoaded?.(page)
			if (cut) setTimeout(again)
		} catch (problem) {
			if (problem.name === "AbortError") return
			if (begin) set([])
			say({ loading: false, problem })
		}
	}

	// What is shown is asked for again, page by page, and put in place at once.
	async function again() {
		own.current.abort?.abort()
		const abort = (own.current.abort = new AbortController())
		own.current.anew = abort
		try {
			let old
			const fresh = []
			for (let cursor = "", n = own.current.blocks.length || 1; fresh.length < n; cursor = fresh.at(-1).next) {
				fresh.push(await load(cursor, { signal: abort.signal, old: (at) => (old = at) }))
				if (!fresh.at(-1).next) break
			}
			own.current.anew = null
			set(fresh)
			say({ loading: false, old })
		} catch (problem) {
			if (problem.name !== "AbortError") say({ loading: false, problem })
		}
	}

	own.current.blocks = blocks
	const next = blocks.at(-1)?.next
	useEffect(() => (steady || set([]), more("", true), () => own.current.abort?.abort()), deps)
	useEffect(() => {
		let timer
		const stop = hear(watch, () => (clearTimeout(timer), (timer = setTimeout(again, 150))))
		return () => (stop(), clearTimeout(timer))
	}, [watch.join(), ...deps])
	const first = useRef(true)
	useEffect(() => {
		if (!first.current) again()
		first.current = false
	}, [turn])
	useEffect(() => {
		if (!next || state.loading || state.problem) return
		const seen = new IntersectionObserver(([e]) => e.isIntersecting && more(next), { rootMargin: "800px" })
		seen.observe(end.current)
		return () => seen.disconnect()
	}, [next, state.loading, state.problem])

	return html`
		${state.old && html`<p class="note warn">${t("web.offline.old", ago(state.old))}</p>`}
		${blocks.length > 0 && !next && !blocks.some((b) => b.items.length) && html`<p class="empty">${empty}</p>`}
		<div role="list" class="items" aria-label=${label} aria-busy=${state.loading}>
			${blocks.map((b, i) => html`<${Block} key=${i} items=${b.items} row=${row} many=${blocks.length > few} />`)}
		</div>
		${state.problem && html`<${Trouble} problem=${state.problem} retry=${() => (blocks.length ? more(next) : more("", true))} />`}
		${state.loading && html`<p class="empty">${t("web.loading")}</p>`}
		<div ref=${end}></div>
	`
}

const few = 6 // blocks that stay whole

const told = new WeakMap()
const nearby = new IntersectionObserver((all) => all.forEach((e) => told.get(e.target)?.(e)), { rootMargin: "4000px 0px" })

// A block is drawn again only when what it shows is another. Where there are many, one that is far away
// keeps its height alone, unless the focus is in it.
function Block({ items, row, many }) {
	const at = useRef()
	const [height, leave] = useState(0)
	useEffect(() => {
		if (!many) return leave(0)
		const block = at.current
		told.set(block, (e) => leave(e.isIntersecting || block.contains(document.activeElement) ? 0 : e.boundingClientRect.height))
		nearby.observe(block)
		return () => nearby.unobserve(block)
	}, [many])
	return useMemo(
		() => html`<div ref=${at} class="block" role="presentation" style=${{ height: height ? height + "px" : undefined, containIntrinsicSize: `auto ${items.length * 64}px` }}>
			${!height && items.map((item, i) => html`<div role="listitem" class="item" key=${item.id || i}>${row(item)}</div>`)}
		</div>`,
		[items, row, height],
	)
}
