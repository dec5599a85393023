// Other words for what an agent asked for: its arguments in a form; what they would do is shown anew.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { get } from "../lib/api.js"
import { t } from "../lib/i18n.js"
import { Field, Tick } from "./field.js"
import { Said } from "./said.js"
import { because } from "./state.js"

/** The form; edit(items) replaces the proposal, back() leaves it as it is. */
export function Amend({ p, edit, back }) {
	const [args, set] = useState(() => p.items.map((i) => ({ ...i.args })))
	const [schemas, know] = useState({})
	const [state, say] = useState({})
	const ref = useRef()
	useEffect(() => {
		const names = new Set(p.items.map((i) => i.tool))
		get("/tools", { limit: 200 }).then((page) => know(Object.fromEntries(page.items.filter((x) => names.has(x.name)).map((x) => [x.name, x.input])))).catch(() => {})
		ref.current.scrollIntoView({ block: "nearest" })
		ref.current.querySelector("input, textarea, select, button")?.focus({ preventScroll: true })
	}, [])

	async function submit(e) {
		e.preventDefault()
		const items = []
		for (const [n, i] of p.items.entries()) {
			const one = {}
			for (const [name, value] of Object.entries(args[n])) {
				if (!(value instanceof Draft)) one[name] = value
				else
					try {
						one[name] = JSON.parse(value.text)
					} catch {
						return say({ fault: name + n })
					}
			}
			items.push({ tool: i.tool, args: one })
		}
		say({ busy: true })
		try {
			await edit(items)
		} catch (problem) {
			say({ problem })
		}
	}

	const put = (n, name, value) => set((all) => all.map((a, k) => (k === n ? { ...a, [name]: value } : a)))
	return html`<form ref=${ref} class="stack amend" onSubmit=${submit} onKeyDown=${(e) => e.key === "Escape" && (e.stopPropagation(), e.preventDefault(), back())}>
		<p class="soft small">${t("web.card.edit.what")}</p>
		${p.items.map((item, n) => html`<fieldset class="stack" key=${n}>
			${p.items.length > 1 && html`<legend><${Said} text=${item.card.title.text} /></legend>`}
			${names(item, schemas[item.tool]).map((name) => html`<${Argument} key=${name} name=${name} value=${args[n][name]} schema=${schemas[item.tool]?.properties?.[name]} fault=${state.fault === name + n ? t("web.card.edit.json") : ""} put=${(v) => put(n, name, v)} />`)}
		</fieldset>`)}
		${state.problem && html`<p class="note bad" role="alert">${because(state.problem)}</p>`}
		<div class="acts answer">
			<button class="main" disabled=${state.busy}>${t("web.card.edit.show")}</button>
			<button type="button" class="quiet" onClick=${back}>${t("web.card.back")}</button>
		</div>
	</form>`
}

/** Text that is to be JSON once it is whole. */
class Draft {
	constructor(text) {
		this.text = text
	}
}

// What was given, then what could be.
const names = (item, schema) => [...new Set([...Object.keys(item.args), ...Object.keys(schema?.properties || {})])]

function Argument({ name, value, schema = {}, fault, put }) {
	const kinds = [schema.type].flat()
	const label = schema.title || name
	const hint = schema.description
	if (schema.enum) return html`<${Field} label=${label} hint=${hint} control=${(props) => html`<select ...${props} onChange=${(e) => put(e.target.value || undefined)}>
		<option value="" selected=${value === undefined}></option>${schema.enum.map((v) => html`<option value=${v} selected=${v === value}>${v}</option>`)}
	</select>`} />`
	if (typeof value === "boolean" || kinds.includes("boolean")) return html`<${Tick} label=${label} checked=${!!value} onChange=${(e) => put(e.target.checked)} />`
	if (kinds.includes("integer") || kinds.includes("number") || typeof value === "number")
		return html`<${Field} label=${label} hint=${hint} type="number" step=${kinds.includes("integer") ? "1" : "any"} value=${value ?? ""} onInput=${(e) => put(e.target.value === "" ? undefined : e.target.valueAsNumber)} />`
	if (typeof value === "object" && value !== null || kinds.includes("array") || kinds.includes("object")) {
		const text = value instanceof Draft ? value.text : value === undefined ? "" : JSON.stringify(value, null, 1)
		return html`<${Field} label=${label} hint=${hint} fault=${fault} control=${(props) => html`<textarea ...${props} spellcheck=${false} onInput=${(e) => put(e.target.value.trim() ? new Draft(e.target.value) : undefined)}>${text}</textarea>`} />`
	}
	return html`<${Field} label=${label} hint=${hint} dir="auto" value=${value ?? ""} onInput=${(e) => put(e.target.value === "" && value === undefined ? undefined : e.target.value)} />`
}
