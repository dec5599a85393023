// A no, with the reason that the agent will read.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { post } from "../lib/api.js"
import { over } from "../lib/over.js"
import { t } from "../lib/i18n.js"
import { discarding } from "../lib/waiting.js"
import { Sheet } from "./dialog.js"
import { Field } from "./field.js"
import { Trouble } from "./state.js"
import { say } from "./toast.js"

/** The form of a no. Enter in it discards: it can never confirm. */
export function Refusal({ p, busy, discard, back }) {
	const [reason, set] = useState("")
	const ref = useRef()
	useEffect(() => {
		ref.current.querySelector(matchMedia("(hover: hover)").matches ? "input" : "button").focus({ preventScroll: true })
		ref.current.scrollIntoView({ block: "center" })
	}, [])
	return html`<form ref=${ref} class="stack refusal" onSubmit=${(e) => (e.preventDefault(), discard(reason))} onKeyDown=${(e) => e.key === "Escape" && (e.stopPropagation(), e.preventDefault(), back())}>
		<${Field} label=${t("nod.reason")} name="reason" maxlength="500" dir="auto" autocomplete="off" value=${reason} onInput=${(e) => set(e.target.value)} />
		<div class="acts answer">
			<button class="main no" disabled=${!!busy}>${t("nod.discard")}</button>
			<button type="button" class="quiet" onClick=${back}>${t("web.card.back")}</button>
		</div>
	</form>`
}

/** Asks whether all that waits of an agent is to go, and does it. */
export async function discardAll(agent, name, count) {
	const n = await over(All, { agent, name, count })
	if (n !== undefined) say(t("web.inbox.discarded", n))
	return n
}

function All({ agent, name, count, done }) {
	const [state, set] = useState({})
	async function go() {
		set({ busy: true })
		discarding.add(agent)
		try {
			done((await post("/proposals/discard", { agent })).discarded)
		} catch (problem) {
			set({ problem })
		}
		setTimeout(() => discarding.delete(agent), 3000) // word of each comes by itself
	}
	return html`<${Sheet} title=${t("nod.discard_all", count, name)} close=${() => done()} acts=${html`
		<button autofocus onClick=${() => done()}>${t("web.cancel")}</button>
		<button class="main" disabled=${state.busy} onClick=${go}>${t("web.inbox.discard_all")}</button>
	`}>
		<p>${t("web.inbox.discard_what")}</p>
		${state.problem && html`<${Trouble} problem=${state.problem} />`}
	<//>`
}


