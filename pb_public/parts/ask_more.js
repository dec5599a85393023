// Asking for what one may not have yet: an assistant, or a larger budget. Operators decide.
import { html, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { loadAssistants } from "../lib/assistants.js"
import { act } from "./act.js"
import { Amounts, begin, sent } from "./amounts.js"
import { Sheet } from "./dialog.js"
import { Field } from "./field.js"
import { Trouble } from "./state.js"

/**
 * assistant is what is asked for; without one it is more of limits, names of fields; without
 * these, twice what is used up. done is given what was asked for, or nothing.
 */
export function More({ assistant, limits = [], currency, done }) {
	const [note, write] = useState("")
	const [value, set] = useState(() => Object.fromEntries(limits.map((f) => [f, begin()[f]])))
	const [state, say] = useState({})
	const nothing = limits.length > 0 && limits.every((f) => value[f].how === "keep")

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const body = assistant ? { assistant: assistant.id } : wished(value)
			const result = await act({ path: "/me/more", body: { ...body, ...(note.trim() && { note: note.trim() }) } }, { done: t("web.more.sent") })
			if (!result) return say({})
			loadAssistants()
			done(result.output)
		} catch (problem) {
			say({ problem })
		}
	}

	return html`<${Sheet} title=${assistant ? t("web.more.assistant", assistant.name) : t("web.more.budget")} close=${() => done()}>
		<form class="stack" onSubmit=${submit}>
			${assistant?.goes && html`<p>${assistant.goes.text}</p>`}
			<p class="soft">${assistant || limits.length ? t("web.more.about") : t("web.more.twice")}</p>
			${limits.length > 0 && html`<${Amounts} which=${limits} value=${value} change=${set} currency=${currency} hows=${["keep", "twice", "most"]} />`}
			<${Field} label=${t("web.more.note")} control=${(p) => html`<textarea ...${p} maxlength="300" dir="auto" value=${note} onInput=${(e) => write(e.target.value)}></textarea>`} />
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy || nothing}>${t("web.more.send")}</button></div>
		</form>
	<//>`
}

// To the server null is twice what it is.
const wished = (value) => ({ ...sent(value), ...Object.fromEntries(Object.entries(value).filter(([, v]) => v.how === "twice").map(([f]) => [f, null])) })
