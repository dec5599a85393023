// Other words for what an agent asked for: its arguments in the form of the tool; what they would do is shown anew.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { css } from "../lib/css.js"
import { t } from "../lib/i18n.js"
import { formOf } from "../lib/registry.js"
import { argsOf, fieldOf, typedOf } from "../lib/schema.js"
import { Said } from "./said.js"
import { because } from "./state.js"
import { Fields } from "./toolform.js"

await css("tool")

/** The form; edit(items) replaces the proposal, back() leaves it as it is. */
export function Amend({ p, edit, back }) {
	const [schemas, know] = useState()
	const [all, type] = useState([]) // what was typed, item by item
	const [state, say] = useState({})
	const first = useRef() // as it was before anybody typed
	const ref = useRef()
	useEffect(() => {
		Promise.all(p.items.map((i) => formOf(i.tool))).then(
			(forms) => {
				const found = forms.map((f) => f.input)
				first.current = p.items.map((i, n) => typedOf(found[n], i.args))
				type(first.current)
				know(found)
			},
			(problem) => say({ problem }),
		)
	}, [])
	useEffect(() => {
		ref.current.scrollIntoView({ block: "nearest" })
		ref.current.querySelector("input, textarea, select, button")?.focus({ preventScroll: true })
	}, [schemas])

	// What nobody touched stays to the letter as it was asked for.
	async function args(n) {
		const { args: asked } = p.items[n], was = first.current[n], typed = all[n]
		const out = await argsOf(schemas[n], typed)
		for (const name of Object.keys(asked)) if (!(name in (schemas[n].properties || {})) || typed[name] === was[name]) out[name] = asked[name]
		for (const name of Object.keys(out)) if (!(name in asked) && typed[name] === was[name]) delete out[name]
		return out
	}

	async function submit(e) {
		e.preventDefault()
		const items = []
		for (const [n, i] of p.items.entries()) {
			try {
				items.push({ tool: i.tool, args: await args(n) })
			} catch (problem) {
				return fails(n, problem.field, t("web.form.unread"))
			}
		}
		say({ busy: true })
		try {
			await edit(items)
		} catch (problem) {
			const at = problem.kind === "invalid" ? schemas.map((s) => fieldOf(s, problem.data?.text)) : []
			const n = at.findIndex((name) => name)
			if (n < 0 || at.filter((name) => name).length > 1) say({ problem })
			else fails(n, at[n], because(problem))
		}
	}

	function fails(n, name, text) {
		say({ n, fault: { name, text } })
		requestAnimationFrame(() => ref.current?.querySelectorAll(":scope > fieldset")[n]?.querySelector(`[name="${CSS.escape(name)}"]`)?.focus())
	}

	return html`<form ref=${ref} class="stack amend tool" noValidate onSubmit=${submit} onKeyDown=${(e) => e.key === "Escape" && (e.stopPropagation(), e.preventDefault(), back())}>
		<p class="soft small">${t("web.card.edit.what")}</p>
		${schemas ? p.items.map((item, n) => html`<fieldset class="stack" key=${n}>
			${p.items.length > 1 && html`<legend><${Said} text=${item.card.title.text} /></legend>`}
			<${Fields} schema=${schemas[n]} value=${all[n]} set=${(v) => type((now) => now.map((o, k) => (k === n ? v : o)))} fault=${state.n === n ? state.fault : null} shown=${Object.keys(item.args)} />
		</fieldset>`) : !state.problem && html`<p class="empty" aria-busy="true">${t("web.loading")}</p>`}
		${state.problem && html`<p class="note bad" role="alert">${because(state.problem)}</p>`}
		<div class="acts answer">
			<button class="main" disabled=${state.busy || !schemas}>${t("web.card.edit.show")}</button>
			<button type="button" class="quiet" onClick=${back}>${t("web.card.back")}</button>
		</div>
	</form>`
}
