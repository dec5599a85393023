// A word about what was done, with the way back.
import { html, signal } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Icon } from "./icon.js"

const toasts = signal([])
let n = 0

/** Says something; act is {label, run}. It stays as long as it takes to read, longer with something to do, and for ever when bad, or where it lasts. */
export function say(text, { act, bad, lasts } = {}) {
	const one = { n: n++, text, act, bad, stays: bad || lasts ? 0 : act ? 12000 : 6000 }
	toasts.value = [...toasts.value.slice(-2), one]
	count(one)
	return () => drop(one)
}

const drop = (one) => (toasts.value = toasts.value.filter((o) => o !== one))
const count = (one) => one.stays && (one.timer = setTimeout(drop, one.stays, one))

// Nothing goes while somebody points at it, or is in it with the keyboard.
const held = (one) => (e) => (clearTimeout(one.timer), e.currentTarget.matches(":hover, :focus-within") || count(one))

/** Where they are shown: all in the shell; those that are bad in what lies over the page too, as nothing below that can be read or pressed. */
export function Toasts({ bad }) {
	return html`<div class="toasts" role="status" aria-live="polite">
		${(bad ? toasts.value.filter((o) => o.bad) : toasts.value).map(
			(o) => html`<div class=${o.bad ? "toast bad" : "toast"} key=${o.n} onMouseEnter=${held(o)} onMouseLeave=${held(o)} onFocusIn=${held(o)} onFocusOut=${held(o)}>
				<span>${o.text}</span>
				${o.act && html`<button onClick=${() => (drop(o), o.act.run())}>${o.act.label}</button>`}
				<button onClick=${() => drop(o)}><${Icon} name="close" /><span class="unseen">${t("web.close")}</span></button>
			</div>`,
		)}
	</div>`
}
