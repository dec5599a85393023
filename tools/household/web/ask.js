// A small form over the page, for what needs a day or an amount before it is done.
import { act, Choice, Field, html, over, Sheet, t, Tick, Trouble, useEffect, useRef, useState } from "../../kit.js"
import { decimal, faultOf } from "./words.js"
import { Length } from "./length.js"

/**
 * Asks for fields and does request(values); stays open with all that was typed until it is done.
 * A field is {name, label, kind: text|date|money|area|tick|choice|length|file, value, hint, choices, must}.
 * With extra, {label, request}, something else can be done there. Where one field depends on another
 * they are a body of their own, and request is given a FormData.
 * Gives what act gives, undefined where it was put away.
 */
export const ask = (props) => over(Ask, props)

function Ask({ title, intro, fields = [], body, verb, request, options, grave, extra, done }) {
	const [values, set] = useState(() => Object.fromEntries(fields.map((f) => [f.name, f.value ?? (f.kind === "tick" ? false : "")])))
	const [state, say] = useState({})
	const form = useRef()
	const put = (name, value) => set((v) => ({ ...v, [name]: value }))

	useEffect(() => form.current.querySelector("input, select, textarea")?.focus(), []) // after the sheet has put it on its title

	const submit = (e) => (e.preventDefault(), run(request))

	async function run(request) {
		if (state.busy) return
		say({ busy: true })
		try {
			const clean = body ? new FormData(form.current) : Object.fromEntries(fields.map((f) => [f.name, f.kind === "money" ? decimal(values[f.name]) : values[f.name]]))
			const result = await act(await request(clean), options)
			if (result) return done(result)
			say({})
		} catch (problem) {
			const fault = faultOf(problem, fields.map((f) => f.name))
			say({ problem, fault })
			if (fault) requestAnimationFrame(() => form.current?.querySelector("[aria-invalid]")?.focus())
		}
	}

	return html`<${Sheet} title=${title} close=${() => done()} acts=${html`
		${extra && html`<button class="grave aside" type="button" onClick=${() => run(extra.request)}>${extra.label}</button>`}
		<button type="button" onClick=${() => done()}>${t("web.back")}</button>
		<button class=${grave ? "grave main" : "main"} disabled=${state.busy} onClick=${() => form.current.requestSubmit()}>${verb || t("household.web.save")}</button>
	`}>
		<form ref=${form} class="stack" onSubmit=${submit} novalidate=${!body}>
			${intro && html`<p class="soft" dir="auto">${intro}</p>`}
			${body}
			${fields.map((f) => html`<${One} key=${f.name} field=${f} value=${values[f.name]} put=${(v) => put(f.name, v)} fault=${state.fault?.name === f.name ? state.fault.text : ""} />`)}
			${state.problem && !state.fault && html`<${Trouble} problem=${state.problem} />`}
		</form>
	<//>`
}

function One({ field: f, value, put, fault }) {
	const same = { label: f.label, hint: f.hint, fault }
	const typed = (e) => put(e.target.value)
	if (f.kind === "tick") return html`<${Tick} label=${f.label} checked=${value} onChange=${(e) => put(e.target.checked)} />`
	if (f.kind === "choice") return html`<${Choice} ...${same} choices=${f.choices} value=${value} onChange=${typed} />`
	if (f.kind === "length") return html`<${Length} ...${same} value=${value} put=${put} />`
	if (f.kind === "area") return html`<${Field} ...${same} control=${(p) => html`<textarea ...${p} dir="auto" value=${value} onInput=${typed}></textarea>`} />`
	if (f.kind === "file") return html`<${Field} ...${same} type="file" accept=${f.accept} onChange=${(e) => put(e.target.files[0])} />`
	if (f.kind === "money") return html`<${Field} ...${same} inputmode="decimal" autocomplete="off" value=${value} onInput=${typed} />`
	return html`<${Field} ...${same} type=${f.kind === "date" ? "date" : "text"} dir=${f.kind === "date" ? undefined : "auto"} autocomplete="off" value=${value} onInput=${typed} />`
}

