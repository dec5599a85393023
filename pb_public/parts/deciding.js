// What a person does with one proposal: how it stands, and the ways to answer it, each at most once.
import { useEffect, useRef, useState } from "../lib/html.js"
import { get, post } from "../lib/api.js"
import { now } from "../lib/clock.js"
import { hear } from "../lib/live.js"
import { discarding, showing } from "../lib/waiting.js"

const soon = 10 * 60000 // before the end, it is said that it comes
const arming = 700 // milliseconds in which a press was meant for what stood there before
const longest = 2 ** 31 - 1

const pause = (ms) =>
	new Promise((done) => {
		const end = () => (clearTimeout(timer), removeEventListener("online", end), done())
		const timer = setTimeout(end, ms)
		addEventListener("online", end)
	})

/**
 * Keeps a proposal by its id, or as it was got already. Gives the state and the acts on it:
 * p is how it stands, shown what of it is shown (a choice of its items, or it), kept which items
 * are ticked, was the changes that were shown before what is shown now, why it is another now
 * (stale, again, edited, elsewhere), unsure that an answer was lost, soon and lapsed its end.
 */
export function useDeciding({ id, proposal, onDone }) {
	const [s, set] = useState({ p: proposal, kept: proposal ? all(proposal) : [], armed: false })
	const own = useRef({})
	own.current.s = s
	own.current.onDone = onDone
	const it = useRef()
	it.current ??= acts(own, set)
	const a = it.current
	const p = s.p

	useEffect(() => (own.current.alive = true, () => (own.current.alive = false)), [])
	useEffect(() => {
		if (proposal && !id) id = proposal.id
		own.current.id = id || proposal?.id
		a.reload()
	}, [id, proposal?.id])
	useEffect(() => {
		if (!p?.id) return
		const gone = showing(p.id)
		const end = hear(["nodkeep/proposals"], (topic, event) => (!event || event.id === own.current.s.p.id) && !own.current.s.busy && a.reload())
		const back = () => document.visibilityState === "visible" && a.clock()
		document.addEventListener("visibilitychange", back)
		return () => (gone(), end(), document.removeEventListener("visibilitychange", back))
	}, [p?.id])
	useEffect(() => {
		a.clock()
		return () => clearTimeout(own.current.timer)
	}, [p?.id, p?.state, p?.expires])
	useEffect(() => {
		if (s.armed) return
		const timer = setTimeout(() => set((s) => ({ ...s, armed: true })), arming)
		return () => clearTimeout(timer)
	}, [s.armed, p?.id])
	return [s, a]
}

const all = (p) => p.items.map((_, n) => n)

function acts(own, set) {
	const put = (more) => own.current.alive !== false && set((s) => (own.current.s = { ...s, ...more }))
	const now_ = () => own.current.s
	const at = (rest = "") => "/proposals/" + now_().p.id + rest

	// The proposal is p now: what was shown stays if it is still that.
	function stands(p, more = {}) {
		const s = now_()
		const same = s.p?.id === p.id && s.p.state === p.state
		put({ p, unsure: false, busy: "", problem: null, ...(same ? {} : { shown: null, kept: all(p) }), ...more })
		if (p.state !== "pending" && s.p?.state === "pending") own.current.onDone?.(p)
	}

	// Another one stands for it: what was shown is kept, to be compared. A press that was
	// on its way to the card before must not hit this one.
	async function follow(next, why) {
		const was = (now_().shown || now_().p).items
		put({ armed: false, was, why, shown: null, kept: all(next), p: next, busy: "", problem: null, unsure: false })
		await reload()
	}

	async function reload() {
		const id = now_().p?.id || own.current.id
		if (!id) return
		try {
			const p = await get("/proposals/" + id)
			const s = now_()
			if (s.p && s.p.id !== p.id) return
			if (!s.p) return put({ p, kept: all(p), problem: null })
			const ends = s.p.state === "pending" && p.state !== "pending"
			stands(p, ends ? { why: p.state === "expired" || discarding.has(p.actor.agent) ? "" : "elsewhere", lapsed: p.state === "expired" } : {})
		} catch (problem) {
			if (!now_().p) put({ problem })
		}
	}

	// Whether it was done is not known: it is looked up, until the server says.
	async function settle() {
		put({ unsure: true, busy: "settle" })
		for (let wait = 400; own.current.alive; wait = Math.min(2 * wait, 4000)) {
			try {
				const p = await get(at())
				return stands(p, { why: p.state === "pending" ? "undone" : "after" })
			} catch (problem) {
				if (problem.kind !== "offline") return put({ unsure: false, busy: "", problem })
			}
			await pause(wait)
		}
	}

	async function refused(problem) {
		const next = problem.data?.proposal
		if (problem.kind === "offline") return settle()
		if (problem.kind === "stale" && next && next.id !== now_().p.id) return follow(next, "stale")
		if (problem.kind === "expired" && next?.state === "pending") return again() // the look is too old, not what was asked for
		if (next && next.state !== "pending") return stands(next, { why: next.state === "expired" ? "" : "elsewhere", lapsed: next.state === "expired" })
		put({ busy: "", problem })
		if (["invalid", "not_found", "forbidden", "too_large", "conflict", "stale"].includes(problem.kind)) await reload()
	}

	// Looks anew at what the ticked items do.
	async function again() {
		const was = (now_().shown || now_().p).items
		try {
			put({ shown: await post(at("/preview"), keep()), was, why: "again", armed: false, busy: "", problem: null })
		} catch (problem) {
			await refused(problem)
		}
	}

	const keep = () => (now_().kept.length === now_().p.items.length ? {} : { keep: now_().kept })

	async function confirm() {
		const s = now_()
		if (s.busy || !s.armed || s.p.state !== "pending") return
		put({ busy: "confirm", problem: null, why: "" })
		try {
			stands(await post(at("/confirm"), { digest: (s.shown || s.p).digest, ...keep() }))
		} catch (problem) {
			await refused(problem)
		}
	}

	async function discard(reason) {
		if (now_().busy) return
		put({ busy: "discard", problem: null, why: "" })
		try {
			stands(await post(at("/discard"), { reason }))
		} catch (problem) {
			await refused(problem)
		}
	}

	/** Gives whether it was edited. */
	async function edit(items) {
		put({ busy: "edit", problem: null, why: "" })
		try {
			await follow(await post(at("/edit"), { items }), "edited")
			return true
		} catch (problem) {
			if (problem.data?.proposal) await refused(problem)
			else put({ busy: "" })
			throw problem
		}
	}

	// Only the last of several quick ticks counts, and nothing is confirmed before it is shown.
	let asked = 0, timer
	function tick(n, on) {
		const s = now_()
		const kept = all(s.p).filter((k) => (k === n ? on : s.kept.includes(k)))
		const turn = ++asked
		clearTimeout(timer)
		if (kept.length === 0 || kept.length === s.p.items.length) return put({ kept, shown: null, looking: false, problem: null, why: "" })
		put({ kept, looking: true, problem: null, why: "" })
		timer = setTimeout(async () => {
			try {
				const shown = await post(at("/preview"), { keep: kept })
				if (turn === asked) put({ shown, looking: false })
			} catch (problem) {
				if (turn !== asked) return
				put({ looking: false })
				if (problem.data?.proposal && problem.data.proposal.state !== "pending") await refused(problem)
				else put({ problem, shown: null, cannot: true })
			}
		}, 200)
		put({ cannot: false })
	}

	// No countdown: it is said once that the end comes near, and once that it was there.
	function clock() {
		clearTimeout(own.current.timer)
		const p = now_().p
		if (p?.state !== "pending" || !p.expires) return
		const left = Date.parse(p.expires) - now()
		if (left <= 0) put({ over: true })
		else put({ soon: left <= soon, over: false })
		if (left <= 0) reload()
		own.current.timer = setTimeout(clock, left <= 0 ? 5000 : Math.min(longest, (left > soon ? left - soon : left) + 50))
	}

	return { reload, confirm, discard, edit, tick, clock, moved: () => put({ armed: false }), follow: async (id) => follow(await get("/proposals/" + id), "elsewhere") }
}
