// Asking operators for more: an assistant, or what the budget gives.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { act } from "../../parts/act.js"
import { Amounts, begin, sent } from "../../parts/amounts.js"
import { Sheet } from "../../parts/dialog.js"
import { Field } from "../../parts/field.js"
import { Trouble } from "../../parts/state.js"

/** assistant is what is asked for; without one it is more of the limits, names of fields. */
export function More({ assistant, limits = [], currency, done }) {
	const [note, write] = useState("")
	const [value, set] = useState(() => Object.fromEntries(limits.map((f) => [f, begin()[f]])))
	const [state, say] = useState({})
	const nothing = !assistant && limits.every((f) => value[f].how === "keep")

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const body = assistant ? { assistant: assistant.id } : wished(value)
			const result = await act({ path: "/me/more", body: { ...body, ...(note.trim() && { note: note.trim() }) } })
			if (result) return done(result.output)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	return html`<${Sheet} title=${assistant ? t("web.more.assistant", assistant.name) : t("web.more.budget")} close=${() => done()}>
		<form class="stack" onSubmit=${submit}>
			<p class="soft">${t("web.more.about")}</p>
			${!assistant && html`<${Amounts} which=${limits} value=${value} change=${set} currency=${currency} hows=${["keep", "twice", "most"]} />`}
			<${Field} label=${t("web.more.note")} control=${(p) => html`<textarea ...${p} maxlength="300" dir="auto" value=${note} onInput=${(e) => write(e.target.value)}></textarea>`} />
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy || nothing}>${t("web.more.send")}</button></div>
		</form>
	<//>`
}

// To the server null is twice what it is.
const wished = (value) => ({ ...sent(value), ...Object.fromEntries(Object.entries(value).filter(([, v]) => v.how === "twice").map(([f]) => [f, null])) })
