// Everything out as a file, and back in from one.
import { act, because, csvMedia, html, Icon, read, save, say as tell, t, Trouble, undo, useState } from "../../kit.js"
import { join, parts } from "./settings_parts.js"

export function Keeping() {
	return html`<${Out} /><${In} />`
}

function Out() {
	const [state, say] = useState({})
	async function out(format) {
		say({ busy: 1 })
		try {
			const all = []
			for (let cursor = ""; ; say({ busy: all.length + 1 })) {
				const part = await read("household_export", { format, ...(cursor && { cursor }) })
				all.push(part)
				if (!(cursor = part.next)) break
			}
			const today = (await read("household_settings_get")).today
			if (format === "json") save(`household-${today}.json`, "application/json", JSON.stringify({ household: join(all.map((p) => p.household)) }, null, 2))
			else for (const [name, content] of tables(all)) save(name, csvMedia, content)
			say({ done: true })
		} catch (problem) {
			say({ problem })
		}
	}
	return html`<section class="panel"><h2>${t("household.title.export")}</h2><p class="soft">${t("household.web.export.about")}</p>
		<div class="acts"><button disabled=${state.busy} onClick=${() => out("json")}><${Icon} name="import" />${t("household.web.export.json")}</button><button disabled=${state.busy} onClick=${() => out("csv")}><${Icon} name="import" />${t("household.web.export.csv")}</button></div>
		<p role="status" class="soft">${state.busy ? t("household.web.export.part", state.busy) : state.done ? t("household.web.export.done") : ""}</p>
		${state.problem && html`<${Trouble} problem=${state.problem} />`}</section>`
}

// The tables of all parts; one that goes on has the names of its columns once.
function tables(all) {
	const by = new Map()
	for (const { name, content } of all.flatMap((p) => p.files)) by.set(name, by.has(name) ? by.get(name) + content.slice(content.indexOf("\r\n") + 2) : content)
	return by
}

function In() {
	const [state, say] = useState({})
	async function take(e) {
		const input = e.target, file = input.files[0]
		if (!file) return
		const audit = []
		try {
			let whole
			try {
				whole = parts(JSON.parse(await file.text()))
			} catch {
				return say({ wrong: true })
			}
			for (const [n, household] of whole.entries()) {
				say({ n, of: whole.length })
				// The first part shows its card; the others rest on it.
				const result = await act({ tool: "household_restore", args: { household } }, { card: n === 0 ? "always" : "grave", quiet: true })
				if (!result) return say({ stopped: n, of: whole.length, audit })
				audit.unshift(...(result.receipt.audit || []))
			}
			say({ done: true, audit })
			tell(t("household.web.restore.done"), { act: audit.length > 0 && { label: t("web.undo"), run: () => undo({ audit }) } })
		} catch (problem) {
			say({ problem, audit })
		} finally {
			input.value = ""
		}
	}
	const busy = state.of && state.stopped === undefined && !state.done
	return html`<section class="panel"><h2>${t("household.title.restore")}</h2><p class="soft">${t("household.web.restore.about")}</p>
		<label class="field"><b>${t("household.web.restore.file")}</b><input type="file" accept=".json,application/json" disabled=${busy} onChange=${take} aria-invalid=${state.wrong ? "true" : undefined} /></label>
		${state.wrong && html`<p class="note bad" role="alert">${t("household.web.restore.wrong")}</p>`}
		${busy && html`<label class="field"><span>${t("household.web.restore.part", state.n + 1, state.of)}</span><progress max=${state.of} value=${state.n} /></label>`}
		<p role="status">${state.done ? t("household.web.restore.done") : ""}</p>
		${state.problem && html`<p class="note bad" role="alert">${because(state.problem)}</p>`}
		${state.audit?.length > 0 && !state.done && html`<div class="note warn"><p>${t("household.web.restore.half", state.audit.length)}</p><button onClick=${() => undo({ audit: state.audit })}>${t("web.undo")}</button></div>`}
	</section>`
}
