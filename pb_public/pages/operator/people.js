// People to be picked, 50 at a time, found by how their handle begins.
import { html, useEffect, useRef, useState } from "../../lib/html.js"
import { get } from "../../lib/api.js"
import { t } from "../../lib/i18n.js"
import { Field } from "../../parts/field.js"
import { Further } from "../../parts/further.js"
import { Trouble } from "../../parts/state.js"

/** picked is a map of id and handle; pick(map) says another. row(account) draws what stands beside the name, show(account) says whether it stands there. */
export function People({ picked, pick, row, show, off }) {
	const [typed, type] = useState("")
	const [asked, ask] = useState("")
	const [state, set] = useState({ items: [], loading: true })
	const own = useRef()
	useEffect(() => {
		const timer = setTimeout(() => ask(typed.trim()), 250)
		return () => clearTimeout(timer)
	}, [typed])

	async function load(cursor) {
		own.current?.abort()
		const abort = (own.current = new AbortController())
		set((s) => ({ ...s, loading: true, problem: null }))
		try {
			const page = await get("/operator/accounts", { handle: asked, limit: 50, cursor }, { signal: abort.signal })
			set((s) => ({ items: cursor ? [...s.items, ...page.items] : page.items, next: page.next }))
		} catch (problem) {
			if (problem.name !== "AbortError") set((s) => ({ ...s, loading: false, problem }))
		}
	}
	useEffect(() => (load(""), () => own.current?.abort()), [asked])

	const items = state.items.filter((p) => p.status !== "waiting" && show(p))
	const all = items.length > 0 && items.every((p) => picked.has(p.id))
	function put(people, on) {
		const next = new Map(picked)
		for (const p of people) on ? next.set(p.id, p.handle) : next.delete(p.id)
		pick(next)
	}

	return html`<${Field} label=${t("web.people.search")} type="search" value=${typed} autocapitalize="none" autocomplete="off" spellcheck=${false} onInput=${(e) => type(e.target.value)} />
		<div class="row">
			<label class="tick"><input type="checkbox" checked=${all} disabled=${off || !items.length} onChange=${() => put(items, !all)} /><span>${t("web.people.all", items.length)}</span></label>
			${picked.size > 0 && html`<button onClick=${() => pick(new Map())}>${t("web.people.clear")}</button>`}
		</div>
		${state.problem && html`<${Trouble} problem=${state.problem} retry=${() => load("")} />`}
		<ul class="items people" aria-busy=${!!state.loading} tabindex="0" aria-label=${t("web.access.people")}>${items.map((p) => html`<li key=${p.id}>
			<label class="tick"><input type="checkbox" checked=${off || picked.has(p.id)} disabled=${off} onChange=${(e) => put([p], e.target.checked)} />
				<span><b dir="auto">${p.handle}</b> ${p.status === "suspended" && html`<span class="chip bad">${t("web.people.suspended")}</span>`}<br />${row(p)}</span></label>
		</li>`)}
		${state.next && html`<li><${Further} count=${state.items.length} busy=${state.loading} more=${() => load(state.next)} /></li>`}</ul>
		${!items.length && !state.loading && html`<p class="empty">${t("web.people.none")}</p>`}`
}
