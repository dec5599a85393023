// What a page shows and the server has: asked for, kept fresh, said when it fails.
import { useEffect, useRef, useState } from "./html.js"
import { hear } from "./live.js"

/**
 * Loads by load(options), again when deps change and when something of watch (names of
 * collections) does. Gives {data, problem, loading, old, reload}: old is the time of what is
 * shown where the server is out of reach. What was shown stays until the new is there.
 */
export function useData(load, deps = [], { watch = [] } = {}) {
	const [state, set] = useState({ loading: true })
	const last = useRef()
	const reload = useRef()
	reload.current = async (fresh) => {
		last.current?.abort()
		const own = (last.current = new AbortController())
		set((s) => (fresh ? { loading: true } : { ...s, loading: true }))
		let old = null
		try {
			const data = await load({ signal: own.signal, old: (at) => (old = at) })
			if (last.current === own) set({ data, old, loading: false })
		} catch (problem) {
			if (last.current === own && problem.name !== "AbortError") set((s) => ({ ...s, problem, loading: false }))
		}
	}
	useEffect(() => {
		reload.current(true)
		return () => last.current?.abort()
	}, deps)
	useEffect(() => {
		let timer
		const end = hear(watch, () => {
			clearTimeout(timer)
			timer = setTimeout(() => reload.current(), 150) // many records change by one tool
		})
		const back = () => reload.current()
		addEventListener("online", back)
		return () => (end(), clearTimeout(timer), removeEventListener("online", back))
	}, [watch.join()])
	return { ...state, reload: () => reload.current() }
}
