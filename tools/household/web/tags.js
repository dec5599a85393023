// Tags as words between commas, with those that there are to tap.
import { Field, html, t } from "../../kit.js"
import { words } from "./bulk.js"

export function Tags({ label, fault, value, put, known }) {
	const have = words(value)
	const lower = (s) => s.toLocaleLowerCase()
	const more = known.filter((k) => !have.some((h) => lower(h) === lower(k.tag))).slice(0, 8)
	return html`<div class="stack tight"><${Field} label=${label} fault=${fault} hint=${t("household.web.tags.hint")} dir="auto" autocomplete="off" value=${value} onInput=${(e) => put(e.target.value)} />
		${more.length > 0 && html`<div class="acts">${more.map((k) => html`<button type="button" class="chip" key=${k.tag} onClick=${() => put([...have, k.tag].join(", "))} dir="auto">+ ${k.tag}</button>`)}</div>`}</div>`
}
