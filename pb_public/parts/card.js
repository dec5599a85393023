// What a card says, drawn from what the server wrote: never from what a model said.
import { html } from "../lib/html.js"
import { css } from "../lib/css.js"
import { t } from "../lib/i18n.js"
import { Diff } from "./diff.js"
import { Icon } from "./icon.js"
import { Said } from "./said.js"

await css("card")

/** The inside of a card: what it warns of, its lines, and field by field what changes. */
export function CardBody({ card, changes = [], unseen = 0, money, effect, open, taint = true }) {
	const shown = open ?? (changes.length <= 3 || changes.length > 8) // many are put together, which is short again
	return html`
		<${Warnings} card=${card} money=${money} effect=${effect} taint=${taint} />
		<${Lines} lines=${card.lines} folded=${!shown} />
		<${Diff} changes=${changes} unseen=${unseen} open=${shown} />
	`
}

/** What one must not overlook, each with its own sign and words. */
export function Warnings({ card, money, effect, taint = true }) {
	return html`
		${effect === "send" || card.sends?.length > 0
			? html`<${Warning} kind="bad" icon="send" title=${t("nod.sends")} lines=${card.sends} />`
			: card.grave && html`<${Warning} kind="bad" icon="warn" title=${effect === "destroy" ? t("nod.destroys") : t("web.card.grave")} />`}
		${money && html`<${Warning} kind="warn" icon="coin" title=${t("nod.money")} />`}
		${taint && card.taint?.length > 0 && html`<${Warning} kind="warn" icon="eye" title=${t("nod.taint")} lines=${card.taint} />`}
	`
}

function Warning({ kind, icon, title, lines = [] }) {
	return html`<div class=${"note warning " + kind}>
		<${Icon} name=${icon} />
		<div><p>${title}</p>${lines?.length > 0 && html`<ul>${lines.map((x, n) => html`<li key=${n} dir="auto">${x.text}</li>`)}</ul>`}</div>
	</div>`
}

const derived = /^card\.(create|update|delete|more|all)$/ // sentences of what the fields say one by one

function Lines({ lines = [], folded }) {
	const own = [...lines.filter((x) => !derived.test(x.key)), ...(folded ? lines.filter((x) => derived.test(x.key)).slice(0, 3) : [])]
	return own.length > 0 && html`<ul class="lines">${own.map((x, n) => html`<li key=${n}><${Said} text=${x.text} /></li>`)}</ul>`
}
