// Opening an assistant to people, or closing it again.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { act } from "../../parts/act.js"
import { Sheet } from "../../parts/dialog.js"
import { Choice } from "../../parts/field.js"
import { Trouble } from "../../parts/state.js"

/** who is {accounts} or {everybody}, names says it in words; start is the assistant that is chosen first. */
export function GrantSheet({ who, names, assistants, start, allow, done }) {
	const [id, choose] = useState(start || assistants[0]?.id || "")
	const [state, say] = useState({})

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const result = await act({ path: "/operator/grants", body: { assistant: id, allow, ...who } }, { card: "always" })
			if (result) return done(result.output)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	return html`<${Sheet} title=${allow ? t("web.grant.title", names) : t("web.grant.not.title", names)} close=${() => done()}>
		<form class="stack" onSubmit=${submit}>
			<${Choice} label=${t("nodkeep_grants.assistant")} value=${id} choices=${assistants.map((a) => [a.id, a.name || a.id])} onChange=${(e) => choose(e.target.value)} />
			<p class="soft">${allow ? t("web.grant.about") : t("web.grant.not.about")}</p>
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy || !id}>${t("web.look")}</button></div>
		</form>
	<//>`
}
