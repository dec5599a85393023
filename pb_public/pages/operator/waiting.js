// Who waits to be let in, with the four words that their own screen shows.
import { html, useState } from "../../lib/html.js"
import { ago, moment, t } from "../../lib/i18n.js"
import { knocking } from "../../lib/store.js"
import { tryAct } from "../../parts/act.js"
import { OpHead, OpList } from "../../parts/oplist.js"
import { giveLink } from "./link.js"

export default function Waiting() {
	const [turn, next] = useState(0)
	const changed = () => next((n) => n + 1)
	const said = knocking.value
	return html`<p class="unseen" role="status">${said > 0 && t("web.operator.knocking", said)}</p><${OpHead} title=${t("web.operator.waiting")} about=${t("web.operator.waiting.about")} />
		<${OpList} plain label=${t("web.operator.waiting")} path="/operator/waiting" watch=${["nodkeep/waiting"]} turn=${turn} empty=${t("web.operator.waiting.empty")}
			row=${(who) => html`<${Person} who=${who} changed=${changed} />`} />`
}

function Person({ who, changed }) {
	const [busy, work] = useState(false)
	async function decide(what) {
		work(true)
		await tryAct({ path: `/operator/waiting/${who.id}/${what}` })
		work(false)
		changed()
	}
	return html`<article class="panel op-person" aria-labelledby=${"w" + who.id}>
		<header><h2 id=${"w" + who.id} dir="auto">${who.handle}</h2><span class="soft small" title=${moment(who.created)}>${t("web.operator.since", ago(who.created))}</span></header>
		${who.email && html`<p class="soft" dir="auto">${who.email}</p>`}
		${who.words && html`<p>${t("web.operator.words")}</p>
			<ol class="op-four" lang="en" translate="no" aria-label=${t("plain.waiting.words")}>${who.words.map((word) => html`<li key=${word}>${word}</li>`)}</ol>`}
		<div class="acts">
			<button class="main" disabled=${busy} onClick=${() => decide("approve")}>${t("nodkeep.card.approve", who.handle)}</button>
			<button class="grave" disabled=${busy} onClick=${() => decide("refuse")}>${t("web.operator.refuse")}<span class="unseen"> ${who.handle}</span></button>
			<button class="quiet" disabled=${busy} onClick=${() => giveLink(`/operator/waiting/${who.id}/pass`, {}, t("nodkeep.card.pass", who.handle))}>${t("web.operator.pass")}<span class="unseen"> ${who.handle}</span></button>
		</div>
	</article>`
}
