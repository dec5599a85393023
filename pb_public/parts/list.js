// A long list, 50 at a time as one scrolls. Blocks that are out of sight cost nothing to draw.
import { html, useEffect, useMemo, useRef, useState } from "../lib/html.js"
import { hear } from "../lib/live.js"
import { t } from "../lib/i18n.js"
import { Trouble } from "./state.js"

/**
 * Loads pages by load(cursor, options), which gives {items, next}, and draws each item by row.
 * When deps change it begins anew; when turn does, or something of watch, what is shown is asked for again.
 */
export function Endless({ load, row, deps = [], watch = [], turn, empty, label, onLoaded }) {
	const [blocks, set] = useState([]) // [{items, next, cursor}]
	const [state, say] = useState({ loading: true })
	const end = useRef()
	const own = useRef({})

	async function more(from, begin) {
		own.current.abort?.abort()
		const abort = (own.current.abort = new AbortController())
		say({ loading: true })
		try {
			const page = await load(from, { signal: abort.signal })
			set((b) => (begin ? [page] : [...b, page]))
			say({ loading: false })
			onLoaded?.(page)
		} catch (problem) {
			if (problem.name !== "AbortError") say({ loading: false, problem })
		}
	}

	// What is shown is asked for again, page by page, and put in place at once.
	async function again() {
		own.current.abort?.abort()
		const abort = (own.current.abort = new AbortController())
		try {
			const fresh = []
			for (let cursor = "", n = own.current.blocks.length || 1; fresh.length < n; cursor = fresh.at(-1).next) {
				fresh.push(await load(cursor, { signal: abort.signal }))
				if (!fresh.at(-1).next) break
			}
			set(fresh)
			say({ loading: false })
		} catch (problem) {
			if (problem.name !== "AbortError") say({ loading: false, problem })
		}
	}

	own.current.blocks = blocks
	const next = blocks.at(-1)?.next
	useEffect(() => (set([]), more("", true), () => own.current.abort?.abort()), deps)
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
		${blocks.length > 0 && !next && !blocks.some((b) => b.items.length) && html`<p class="empty">${empty}</p>`}
		<div role="list" class="items" aria-label=${label} aria-busy=${state.loading}>
			${blocks.map((b, i) => html`<${Block} key=${i} items=${b.items} row=${row} />`)}
		</div>
		${state.problem && html`<${Trouble} problem=${state.problem} retry=${() => (blocks.length ? more(next) : more("", true))} />`}
		${state.loading && html`<p class="empty">${t("web.loading")}</p>`}
		<div ref=${end}></div>
	`
}

// A block is drawn again only when what it shows is another.
function Block({ items, row }) {
	return useMemo(
		() => html`<div class="block" role="presentation" style=${{ containIntrinsicSize: `auto ${items.length * 64}px` }}>
			${items.map((item, i) => html`<div role="listitem" class="item" key=${item.id || i}>${row(item)}</div>`)}
		</div>`,
		[items, row],
	)
}
