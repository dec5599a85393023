// One field of a form: label, hint, fault, and the control between them.
import { html, useId } from "../lib/html.js"

/**
 * control(props) draws what is filled in and takes id, aria-describedby and aria-invalid from props.
 * Without one it is an input with the other props.
 */
export function Field({ label, hint, fault, control, ...input }) {
	const id = useId()
	const about = [hint && id + "h", fault && id + "f"].filter(Boolean).join(" ")
	const props = { id, "aria-describedby": about || undefined, "aria-invalid": fault ? "true" : undefined }
	return html`<div class="field">
		<label for=${id}>${label}</label>
		${control ? control(props) : html`<input ...${props} ...${input} />`}
		${hint && html`<p class="hint" id=${id + "h"}>${hint}</p>`}
		${fault && html`<p class="fault" id=${id + "f"} role="alert">${fault}</p>`}
	</div>`
}

/** A box to tick with its words. */
export const Tick = ({ label, ...input }) => html`<label class="tick"><input type="checkbox" ...${input} /><span>${label}</span></label>`

/** A choice among a few: choices are [value, label]. */
export const Choice = ({ choices, value, label, hint, fault, ...rest }) =>
	html`<${Field} ...${{ label, hint, fault }} control=${(props) => html`<select ...${props} ...${rest}>${choices.map(([v, label]) => html`<option value=${v} selected=${v === value}>${label}</option>`)}</select>`} />`
