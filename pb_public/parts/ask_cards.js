// The cards of a turn, beside its words: written by the server of what would change, or did.
import { html, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { post } from "../lib/api.js"
import { decided } from "../lib/talk.js"
import { CardBody } from "./card.js"
import { undo } from "./act.js"
import { Trouble } from "./state.js"

const many = 8

/** Shows the cards of a turn, a signal; many are folded. */
export function Cards({ turn }) {
	const [all, show] = useState(false)
	const cards = turn.value.cards
	return html`<div class="beside" role="group" aria-label=${t("web.ask.cards")}>
		${(all ? cards : cards.slice(0, many)).map((c, i) => html`<${Card} key=${c.id || "done" + i} card=${c} tell=${(now) => decided(turn, now, c)} />`)}
		${!all && cards.length > many && html`<button onClick=${() => show(true)}>${t("web.ask.cards.all", cards.length)}</button>`}
	</div>`
}

function Card({ card: p, tell }) {
	const [state, say] = useState({})
	const grave = p.card.grave || p.items.some((i) => i.money)
	const waits = p.state === "pending"

	async function decide(how, body) {
		say({ busy: true })
		try {
			tell(await post(`/proposals/${p.id}/${how}`, body))
			say({})
		} catch (problem) {
			const now = problem.data?.proposal
			if (now?.id && problem.kind === "stale") tell(now)
			else if (now?.id) tell(now)
			say(problem.kind === "stale" ? { stale: true } : now?.id ? {} : { problem })
		}
	}

	const back = async () => (await undo({ audit: p.receipt.audit })) && tell({ ...p, undone: true })

	return html`<article class="panel card" aria-label=${p.card.title.text}>
		<header><h3 dir="auto">${p.card.title.text}</h3>${!waits && html`<span class=${"chip " + (p.state === "applied" && !p.undone ? "good" : "")}>${p.undone ? t("web.undone") : t("web.ask.card." + p.state)}</span>`}</header>
		${state.stale && html`<p class="note warn" role="alert">${t("web.card.stale")}</p>`}
		${state.problem && html`<${Trouble} problem=${state.problem} />`}
		${(waits || !p.id) && p.items.map((item, i) => html`<div class="stack" key=${i}>
			${p.items.length > 1 && html`<h4 dir="auto">${item.card.title.text}</h4>`}
			<${CardBody} card=${item.card} changes=${item.changes} unseen=${item.unseen} money=${item.money} open=${false} />
		</div>`)}
		${waits && html`<div class="acts">
			<button class=${grave ? "grave main" : "main"} disabled=${state.busy} onClick=${() => decide("confirm", { digest: p.digest })}>${t("nod.confirm")}</button>
			<button disabled=${state.busy} onClick=${() => decide("discard", {})}>${t("nod.discard")}</button>
		</div>`}
		${p.state === "applied" && !p.undone && p.receipt?.undo_until && html`<div class="acts"><button onClick=${back}>${t("web.undo")}</button></div>`}
	</article>`
}
