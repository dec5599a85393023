// What a card says, drawn from what the server wrote: never from what a model said.
import { html } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Diff } from "./diff.js"

/** The inside of a card: lines, what it sends, what was read before it, and field by field what changes. */
export function CardBody({ card, changes = [], unseen = 0, money, open }) {
	return html`
		${card.grave && html`<p class="note bad">${t("web.card.grave")}</p>`}
		${money && html`<p class="note warn">${t("nod.money")}</p>`}
		${card.taint?.length > 0 && html`<div class="note warn"><p>${t("nod.taint")}</p><ul>${card.taint.map((x) => html`<li>${x.text}</li>`)}</ul></div>`}
		${card.sends?.length > 0 && html`<ul>${card.sends.map((x) => html`<li>${x.text}</li>`)}</ul>`}
		${card.lines?.length > 0 && html`<ul>${card.lines.map((x) => html`<li>${x.text}</li>`)}</ul>`}
		<${Diff} changes=${changes} unseen=${unseen} open=${open} />
	`
}
