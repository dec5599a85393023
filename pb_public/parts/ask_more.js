// Asking for what one may not have yet: an assistant, or a larger budget. Operators decide.
import { html, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { loadAssistants } from "../lib/assistants.js"
import { act } from "./act.js"
import { Sheet } from "./dialog.js"
import { Field } from "./field.js"
import { Trouble } from "./state.js"

/** Asks for an assistant, or without one for more of what is used up; with a note for who decides. */
export function More({ assistant, done }) {
	const [state, say] = useState({})
	async function send(e) {
		e.preventDefault()
		const note = new FormData(e.target).get("note").trim() || undefined
		say({ busy: true })
		try {
			await act({ path: "/me/more", body: assistant ? { assistant: assistant.id, note } : { note } }, { done: t("web.ask.more.sent") })
			loadAssistants()
			done(true)
		} catch (problem) {
			say({ problem })
		}
	}
	return html`<${Sheet} title=${assistant ? t("web.ask.more.assistant", assistant.name) : t("web.ask.more")} close=${() => done()}>
		<form class="stack" onSubmit=${send}>
			${assistant ? html`<p>${assistant.goes.text}</p>` : html`<p>${t("web.ask.more.what")}</p>`}
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<${Field} label=${t("web.ask.more.note")} control=${(props) => html`<textarea ...${props} name="note" dir="auto" maxlength="500"></textarea>`} />
			<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy}>${t("web.ask.more.send")}</button></div>
		</form>
	<//>`
}
