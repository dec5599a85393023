// What the list is narrowed to, as a file: all pages of it.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { get } from "../lib/api.js"
import { t } from "../lib/i18n.js"
import { today } from "../lib/clock.js"
import { csv, csvMedia, save } from "../lib/file.js"
import { Sheet } from "../parts/dialog.js"
import { Trouble } from "../parts/state.js"
import { titleOf } from "./activity_row.js"

export function Export({ asked, done }) {
	const [state, say] = useState({})
	const abort = useRef()
	useEffect(() => () => abort.current?.abort(), [])

	// Where the network drops, what was brought so far is not asked for again.
	const brought = useRef({ items: [], cursor: "" })
	async function run(format) {
		const { signal } = (abort.current = new AbortController())
		const got = brought.current
		say({ n: got.items.length, format })
		try {
			do {
				const page = await get("/audit", { ...asked, limit: 200, cursor: got.cursor }, { signal })
				got.items.push(...page.items)
				got.cursor = page.next
				say({ n: got.items.length, format })
			} while (got.cursor)
			save("nodkeep-" + today() + "." + format, ...(format === "csv" ? [csvMedia, sheet(got.items)] : ["application/json", JSON.stringify(got.items, null, "\t")]))
			done()
		} catch (problem) {
			if (problem.name !== "AbortError") say({ problem, format })
			else say({})
		}
	}

	const busy = state.n !== undefined
	return html`<${Sheet} title=${t("web.activity.export")} close=${() => done()} acts=${busy
		? html`<button onClick=${() => (abort.current.abort(), (brought.current = { items: [], cursor: "" }))}>${t("web.cancel")}</button>`
		: html`<button onClick=${() => run("json")}>${t("web.activity.export.json")}</button><button class="main" onClick=${() => run("csv")}>${t("web.activity.export.csv")}</button>`}>
		<p>${t("web.activity.export.what")}</p>
		${state.problem && html`<${Trouble} problem=${state.problem} retry=${() => run(state.format)} />`}
		${busy && html`<p role="status">${t("web.activity.export.n", state.n)}</p><progress aria-label=${t("web.activity.export")}></progress>`}
	<//>`
}

// One row for each change.
function sheet(items) {
	const rows = [["id", "created", "person", "agent", "model", "door", "tool", "title", "state", "reason", "undoes", "undone_by", "op", "record", "label", "fields"]]
	for (const e of items) {
		const head = [e.id, e.created, e.handle || e.actor.person, e.actor.agent_name || e.actor.agent, e.actor.model, e.actor.door, e.tool, titleOf(e), e.state, e.reason, e.undoes.join(" "), e.undone_by]
		const fields = (c) => c.fields.map((f) => f.label + ": " + (c.op === "create" ? f.after : c.op === "delete" ? f.before : f.before + " → " + f.after)).join("; ")
		if (!e.changes.length) rows.push([...head, "", "", "", e.tool === "ask" && e.args ? JSON.stringify(e.args) : ""])
		for (const c of e.changes) rows.push([...head, c.op, c.id, c.label, fields(c)])
	}
	return csv(rows)
}
