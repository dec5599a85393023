// The cards of a turn, beside its words: written by the server of what would change, or did.
import { html, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { decided } from "../lib/talk.js"
import { CardBody } from "./card.js"
import { undo } from "./act.js"
import { State } from "./outcome.js"
import { Proposal } from "./proposal.js"

const many = 8

/** Shows the cards of a turn, a signal; many are folded. */
export function Cards({ turn }) {
	const [all, show] = useState(false)
	const cards = turn.value.cards
	return html`<div class="ask-beside" role="group" aria-label=${t("web.ask.cards")}>
		${(all ? cards : cards.slice(0, many)).map((c, i) => (c.id ? html`<${Proposal} key=${c.id} proposal=${c} compact level=${3} onDone=${(now) => decided(turn, now, c)} />` : html`<${Did} key=${"did" + i} card=${c} tell=${(now) => decided(turn, now, c)} />`))}
		${!all && cards.length > many && html`<button onClick=${() => show(true)}>${t("web.ask.cards.all", cards.length)}</button>`}
	</div>`
}

// What was done without a nod, as the operator lets this assistant, with the way back.
function Did({ card: p, tell }) {
	const back = async () => (await undo({ audit: p.receipt.audit })) && tell({ ...p, undone: true })
	return html`<article class="card decided" aria-label=${p.card.title.text}>
		<h3 class="title" dir="auto">${p.card.title.text}</h3>
		<p><${State} state=${p.state} undone=${p.undone} /></p>
		${p.items.map((item, i) => html`<${CardBody} key=${i} ...${item} open=${false} />`)}
		${!p.undone && p.receipt?.undo_until && html`<div class="acts"><button onClick=${back}>${t("web.undo")}</button></div>`}
	</article>`
}
