// A form drawn from a JSON schema, so that every tool can be used without a page of its own.
import { html, useState } from "../lib/html.js"
import { lang, t } from "../lib/i18n.js"
import { choiceOf, labelOf } from "../lib/registry.js"
import { Choice, Field, Tick } from "./field.js"
import { Icon } from "./icon.js"
import { kindOf, starting } from "../lib/schema.js"

const folded = 4 // so many fields that may be left out are shown at once

/**
 * The fields of an object: value is what was typed so far, set(value) takes it changed, fault is
 * {name, text}; shown are those that are never folded.
 */
export function Fields({ schema, value, set, fault, without = [], shown = [] }) {
	const names = Object.keys(schema.properties || {}).filter((n) => !without.includes(n))
	const must = (n) => !!schema.required?.includes(n)
	const first = [...names.filter(must), ...names.filter((n) => !must(n) && shown.includes(n))], may = names.filter((n) => !first.includes(n))
	const one = (name) => html`<${Part} key=${name} name=${name} schema=${schema.properties[name]} required=${must(name)} value=${value[name]} set=${(v) => set({ ...value, [name]: v })} fault=${fault} />`
	const fold = may.length > folded
	return html`<div class="stack fields">${first.map(one)}
		${fold ? html`<details open=${may.some((n) => fault?.name === n)}><summary>${t("web.form.more", may.length)}</summary><div class="stack fields">${may.map(one)}</div></details>` : may.map(one)}
	</div>`
}

// Where the reader's language has no sentence, none is better than one for models.
const hintOf = (schema) => schema.hint || (lang.value === "en" ? schema.description : "")

function Part({ name, schema, required, value, set, fault }) {
	const kind = kindOf(name, schema), label = labelOf(name, schema)
	const about = { label: required ? label : label + " " + t("web.form.optional"), hint: hintOf(schema), fault: fault?.name === name ? fault.text : "" }
	const typed = (e) => set(e.target.value)
	const input = { ...about, name, required, value: value ?? "", onInput: typed, dir: "auto" }
	switch (kind) {
		case "choice":
			return html`<${Choice} ...${about} name=${name} required=${required} value=${value ?? ""} choices=${[["", t("web.form.none")], ...schema.enum.map((v) => [String(v), choiceOf(schema, v)])]} onChange=${typed} />`
		case "boolean":
			if (required) return html`<${Tick} label=${label} checked=${value === "true"} onChange=${(e) => set(String(e.target.checked))} />`
			return html`<${Choice} ...${about} name=${name} value=${value ?? ""} choices=${[["", t("web.form.none")], ["true", t("web.form.yes")], ["false", t("web.form.no")]]} onChange=${typed} />`
		case "integer":
			return html`<${Field} ...${input} inputmode="numeric" pattern="-?[0-9]+" dir=${undefined} />`
		case "number":
			return html`<${Field} ...${input} inputmode="decimal" pattern="-?[0-9]+([.][0-9]+)?" dir=${undefined} />`
		case "date":
			return html`<${Field} ...${input} type="date" dir=${undefined} />`
		case "month":
			return html`<${Field} ...${input} pattern="[0-9]{4}-[0-9]{2}" inputmode="numeric" dir=${undefined} />`
		case "once":
			return html`<${Field} ...${input} inputmode="numeric" autocomplete="one-time-code" dir=${undefined} />`
		case "secret":
			return html`<${Field} ...${input} type="password" autocomplete="off" dir=${undefined} />`
		case "long":
			return html`<${Field} ...${about} control=${(props) => html`<textarea ...${props} name=${name} required=${required} rows="3" dir="auto" value=${value ?? ""} onInput=${typed}></textarea>`} />`
		case "file":
			return html`<${Field} ...${about} type="file" name=${name} required=${required} onChange=${(e) => set(e.target.files[0] || "")} />`
		case "choices":
			return html`<fieldset class="field"><legend>${about.label}</legend>${about.hint && html`<p class="hint">${about.hint}</p>`}
				<div class="acts">${schema.items.enum.map((v) => html`<${Tick} key=${v} label=${choiceOf(schema, v)} checked=${(value || []).includes(v)} onChange=${(e) => set(e.target.checked ? [...(value || []), v] : value.filter((o) => o !== v))} />`)}</div>
				${about.fault && html`<p class="fault" role="alert">${about.fault}</p>`}
			</fieldset>`
		case "list":
		case "rows":
			return html`<${Rows} kind=${kind} name=${name} schema=${schema} about=${about} value=${value || (required ? [starting(schema.items)] : [])} set=${set} fault=${fault} />`
		case "object":
			return html`<fieldset class="field inner"><legend>${about.label}</legend>${about.hint && html`<p class="hint">${about.hint}</p>`}<${Fields} schema=${schema} value=${value || {}} set=${set} fault=${fault} /></fieldset>`
		case "json":
			return html`<${Field} ...${about} hint=${[about.hint, t("web.form.json")].filter(Boolean).join(" · ")} control=${(props) => html`<textarea ...${props} class="code" name=${name} required=${required} rows="4" spellcheck=${false} value=${value ?? ""} onInput=${typed}></textarea>`} />`
	}
	return html`<${Field} ...${input} />`
}

// Several of a kind: each can be taken away, and another added.
function Rows({ kind, name, schema, about, value, set, fault }) {
	const [added, add] = useState(false)
	const change = (i, v) => set(value.map((o, n) => (n === i ? v : o)))
	const one = labelOf(name, schema)
	return html`<fieldset class="field inner"><legend>${about.label}</legend>${about.hint && html`<p class="hint">${about.hint}</p>`}
		${value.map((v, i) => html`<div class="line" key=${i}>
			${kind === "rows" ? html`<${Fields} schema=${schema.items} value=${v} set=${(o) => change(i, o)} fault=${fault} />` : html`<input aria-label=${one + " " + (i + 1)} dir="auto" autofocus=${added && i === value.length - 1} value=${v} onInput=${(e) => change(i, e.target.value)} />`}
			<button type="button" class="quiet" onClick=${() => set(value.filter((_, n) => n !== i))}><${Icon} name="close" /><span class="unseen">${t("web.form.remove", one, i + 1)}</span></button>
		</div>`)}
		<div><button type="button" onClick=${() => (add(true), set([...value, starting(schema.items)]))}><${Icon} name="add" />${t("web.form.add", one)}</button></div>
		${about.fault && html`<p class="fault" role="alert">${about.fault}</p>`}
	</fieldset>`
}
