// What models were used for, by whom: figures, and never what was said.
import { html, useEffect, useRef, useState } from "../../lib/html.js"
import { get, list } from "../../lib/api.js"
import { css } from "../../lib/css.js"
import { every } from "../../lib/every.js"
import { useData } from "../../lib/data.js"
import { t } from "../../lib/i18n.js"
import { Field } from "../../parts/field.js"
import { Further } from "../../parts/further.js"
import { Loaded, because } from "../../parts/state.js"
import { say } from "../../parts/toast.js"
import { Used } from "../../parts/used.js"
import { By } from "../own/spent.js"
import { csvMedia, save } from "../../lib/file.js"
import { sheet } from "./csv.js"
import { Head } from "./head.js"

await css("assistants")

export default function Figures({ query }) {
	const [f, set] = useState({ by: "month", account: query.account || "", assistant: query.assistant || "", from: "", to: "" })
	const [asked, ask] = useState(f)
	const [rows, grow] = useState({ items: [] })
	const put = (name) => (e) => set((f) => ({ ...f, [name]: e.target.value }))
	useEffect(() => {
		const timer = setTimeout(() => ask(f), 300)
		return () => clearTimeout(timer)
	}, [f])
	const page = useData(async (o) => {
		const page = await list("/operator/figures", { ...asked, limit: 50 }, o)
		grow({ items: [], next: page.next })
		return page
	}, [asked])
	const names = useData((o) => get("/operator/figures", { like: f.account }, { signal: o.signal }), [f.account])
	const known = useData((o) => list("/operator/assistants", { limit: 200 }, o))

	const now = useRef()
	now.current = asked
	async function more() {
		grow((r) => ({ ...r, busy: true }))
		try {
			const next = await get("/operator/figures", { ...asked, limit: 50, cursor: rows.next })
			if (now.current === asked) grow((r) => ({ items: [...r.items, ...next.items], next: next.next }))
		} catch (problem) {
			grow((r) => ({ ...r, busy: false }))
			say(because(problem), { bad: true })
		}
	}
	async function download() {
		try {
			const all = await every("/operator/figures", asked)
			save("nodkeep-" + asked.by + ".csv", csvMedia, sheet(all.items))
		} catch (problem) {
			say(because(problem), { bad: true })
		}
	}

	return html`<${Head} title=${t("web.figures")} about=${t("web.figures.about")}><button onClick=${download}>${t("web.figures.csv")}</button><//>
		<section class="panel" aria-label=${t("web.figures.filter")}>
			<${By} value=${f.by} change=${(by) => set((f) => ({ ...f, by }))} />
			<div class="op-filter">
				<${Field} label=${t("nodkeep_grants.person")} list="handles" value=${f.account} autocapitalize="none" spellcheck=${false} autocomplete="off" onInput=${put("account")} />
				<datalist id="handles">${(names.data?.handles || []).map((h) => html`<option key=${h.id} value=${h.handle} />`)}</datalist>
				<${Field} label=${t("nodkeep_grants.assistant")} control=${(p) => html`<select ...${p} onChange=${put("assistant")}><option value="">${t("web.figures.all")}</option>${(known.data?.items || []).map((a) => html`<option key=${a.id} value=${a.id} selected=${a.id === f.assistant}>${a.name || a.id}</option>`)}</select>`} />
				<${Field} label=${t("web.figures.from")} type="date" value=${f.from} onInput=${put("from")} />
				<${Field} label=${t("web.figures.to")} type="date" value=${f.to} onInput=${put("to")} />
			</div>
		</section>
		<section class="panel" aria-label=${t("web.figures")}>
			<${Loaded} of=${page}>${(d) => html`<${Used} items=${[...d.items, ...rows.items]} currency=${d.currency} people empty=${t("web.figures.none")} />
				${rows.next && html`<${Further} count=${d.items.length + rows.items.length} busy=${rows.busy} more=${more} />`}`}<//>
		</section>`
}
