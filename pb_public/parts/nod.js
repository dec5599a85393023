// The card of what a person is about to do themselves, where it is grave or touches many.
import { html, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Sheet } from "./dialog.js"
import { CardBody } from "./card.js"
import { apply, look } from "./act.js"
import { Trouble } from "./state.js"

/** Shows preview and does it when the person says so. */
export function Nod({ request, preview: first, done }) {
	const [preview, set] = useState(first)
	const [state, say] = useState({})
	const grave = preview.card.grave || preview.money

	async function confirm() {
		say({ busy: true })
		try {
			done(await apply(request, preview))
		} catch (problem) {
			if (problem.kind !== "stale" && problem.kind !== "expired") return say({ problem })
			try {
				set(await look(request))
				say({ stale: true })
			} catch (problem) {
				say({ problem })
			}
		}
	}

	return html`<${Sheet} title=${preview.card.title.text} close=${() => done()} acts=${html`
		<button onClick=${() => done()}>${t("web.cancel")}</button>
		<button class=${grave ? "grave main" : "main"} autofocus=${!grave} disabled=${state.busy} onClick=${confirm}>${t("nod.confirm")}</button>
	`}>
		${state.stale && html`<p class="note warn" role="alert">${t("web.card.stale")}</p>`}
		${state.problem && html`<${Trouble} problem=${state.problem} />`}
		<${CardBody} ...${preview} />
	<//>`
}
