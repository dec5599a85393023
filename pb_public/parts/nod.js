// The card of what a person is about to do themselves, where it is grave or touches many.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Sheet } from "./dialog.js"
import { CardBody } from "./card.js"
import { Difference } from "./difference.js"
import { Said } from "./said.js"
import { apply, look } from "./apply.js"
import { Trouble } from "./state.js"

const arming = 700 // milliseconds in which a press was meant for what stood there before

/** Shows preview and does it when the person says so. */
export function Nod({ request, preview: first, done }) {
	const [preview, set] = useState(first)
	const [state, say] = useState({})
	const [armed, arm] = useState(false)
	const sent = useRef() // what was confirmed, and is not answered yet
	const yes = useRef()
	const note = useRef()
	const harms = preview.card.grave || preview.effect === "destroy" || preview.effect === "send"
	const grave = harms || preview.money

	useEffect(() => {
		arm(false)
		const timer = setTimeout(() => arm(true), arming)
		return () => clearTimeout(timer)
	}, [preview])
	useEffect(() => {
		if (state.was) note.current?.focus()
		else if (armed && !grave && document.activeElement?.matches("h2")) yes.current.focus({ preventScroll: true })
	}, [armed, state.was])

	async function confirm() {
		if (sent.current) return
		say({ busy: true })
		try {
			done(await (sent.current = apply(request, preview)))
		} catch (problem) {
			if (problem.kind !== "stale" && problem.kind !== "expired") say({ problem })
			else
				try {
					const now = await look(request)
					say({ was: preview, expired: problem.kind === "expired" })
					set(now)
				} catch (problem) {
					say({ problem })
				}
		}
		sent.current = undefined
	}

	// Putting the card away takes nothing back that is under way: what becomes of it is said all the same.
	const close = () => done(sent.current)

	return html`<${Sheet} title=${html`<${Said} text=${preview.card.title.text} />`} close=${close} acts=${html`
		<button disabled=${state.busy} onClick=${close}>${t("web.back")}</button>
		<button ref=${yes} class=${harms ? "grave main" : "main"} disabled=${state.busy || !armed} onClick=${confirm}>${state.busy ? t("web.card.busy") : t("nod.confirm")}</button>
	`}>
		${state.was && html`<p class="note warn" role="alert" tabindex="-1" ref=${note}>${state.expired ? t("web.card.again") : t("web.card.stale")}</p>
			<${Difference} was=${[state.was]} now=${[preview]} />`}
		${state.problem && html`<${Trouble} problem=${state.problem} />`}
		<${CardBody} ...${preview} />
	<//>`
}
