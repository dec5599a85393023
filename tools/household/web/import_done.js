// What came of it, with the way back.
import { href, html, Icon, t, undo, useState } from "../../kit.js"
import { price } from "./words.js"

export function Done({ result, anew }) {
	const [back, took] = useState(false)
	const { output: o, receipt } = result
	const take = async () => {
		if (await undo({ audit: receipt.audit })) took(true)
	}
	const list = (title, items) => items.length > 0 && html`<h2>${title}</h2><ul class="items">${items.map((s) => html`<li key=${s.id}><a class="row" href=${href("/subscriptions/" + s.id)}><b dir="auto">${s.name}</b><span class="number">${price(s)}</span></a></li>`)}</ul>`
	if (back) return html`<section class="panel"><p class="note">${t("household.web.import.back")}</p><div class="acts"><button onClick=${anew}>${t("household.web.import.another")}</button></div></section>`
	return html`<section class="panel">
		<p class="note good" role="status">${receipt.cards?.[0] ? t("web.did", receipt.cards[0].title.text) : t("web.done")}</p>
		${list(t("household.web.import.added", o.added.length), o.added)}
		${list(t("household.web.import.changed", o.changed.length), o.changed)}
		${o.unchanged > 0 && html`<p class="soft">${t("household.web.import.unchanged", o.unchanged)}</p>`}
		<div class="acts"><button onClick=${take}><${Icon} name="undo" />${t("household.web.import.undo")}</button><a class="button" href=${href("/subscriptions")}>${t("household.web.subscriptions")}</a></div>
	</section>`
}
