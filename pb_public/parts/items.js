// Several calls on one card, each to tick: what is ticked happens together, or not at all.
import { html } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { CardBody, Warnings } from "./card.js"
import { Diff } from "./diff.js"
import { Said } from "./said.js"

/** The items of a proposal; of those that are kept, what they would do now. */
export function Items({ s, acts, compact }) {
	const p = s.p
	const places = s.shown?.keep || s.kept
	return html`
		<${Warnings} card=${{ taint: p.card.taint }} />
		<fieldset class="items-kept">
			<legend class="soft small">${t("nod.ticks")}</legend>
			${p.items.map((item, n) => {
				const kept = s.kept.includes(n)
				const now = s.shown?.items[places.indexOf(n)] || item
				return html`<section class=${kept ? "one" : "one left"} key=${n}>
					<label class="tick"><input type="checkbox" checked=${kept} disabled=${!!s.busy} onChange=${(e) => acts.tick(n, e.target.checked)} /><span><${Said} text=${now.card.title.text} /></span></label>
					${kept && html`<div class="inside"><${CardBody} ...${now} taint=${false} open=${compact || p.items.length > 3 ? false : undefined} /></div>`}
				</section>`
			})}
		</fieldset>
	`
}

/** The same where nothing is to be ticked any more: what was kept, and what was left out. */
export function Kept({ p }) {
	const kept = p.keep || p.items.map((_, n) => n)
	return html`<ul class="items-decided">${p.items.map((item, n) => html`<li key=${n} class=${kept.includes(n) ? "" : "left"}>
		<p>${p.state === "applied" && html`<span class="chip">${kept.includes(n) ? t("web.card.kept") : t("web.card.left")}</span> `}<${Said} text=${item.card.title.text} /></p>
		${kept.includes(n) && html`<${Diff} changes=${item.changes} unseen=${item.unseen} open=${false} />`}
	</li>`)}</ul>`
}
