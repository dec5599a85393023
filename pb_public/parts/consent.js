// Agreeing that what one asks goes to a host. Nothing is asked of an assistant before.
import { html, useState } from "../lib/html.js"
import { over } from "../lib/over.js"
import { t } from "../lib/i18n.js"
import { act } from "./act.js"
import { Sheet } from "./dialog.js"
import { Trouble } from "./state.js"

/** Asks for the agreement to an assistant, as GET /me/assistants has it. Gives it as it is then, or undefined. */
export const consent = (assistant) => over(Consent, { assistant })

function Consent({ assistant: a, done }) {
	const [state, say] = useState({})

	async function agree() {
		say({ busy: true })
		try {
			const result = await act({ path: "/me/consents", body: { assistant: a.id, host: a.host } }, { quiet: true })
			if (result) return done(result.output)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	return html`<${Sheet} title=${t("web.consent.title", a.name)} close=${() => done()} acts=${html`
		<button onClick=${() => done()}>${t("web.consent.no")}</button>
		<button class="main" disabled=${state.busy} onClick=${agree}>${t("web.consent.yes")}</button>
	`}>
		${state.problem && html`<${Trouble} problem=${state.problem} />`}
		<p><b dir="auto">${a.name}</b> <span class="soft">${a.model}</span></p>
		<p class=${a.local ? "note good" : "note warn"}>${a.local ? t("web.consent.local") : t("web.consent.host", a.host)}</p>
		<p>${a.goes.text}</p>
		<p class="soft small">${t("web.consent.back")}</p>
	<//>`
}
