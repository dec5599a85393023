// What is different now from what was shown: then and now, change by change.
import { html, useMemo, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { changesOf, differ } from "../lib/differ.js"
import { Said } from "./said.js"

const most = 8

/** Compares the items of a proposal, or of a preview, with those that were shown before. */
export function Difference({ was, now }) {
	const [all, show] = useState(false)
	const apart = useMemo(() => differ(changesOf(was), changesOf(now)), [was, now])
	const titles = now.map((item, n) => [was[n]?.card.title.text, item.card.title.text]).filter(([w, n]) => w && w !== n)
	if (!apart.length && !titles.length) return null
	return html`<section class="difference">
		<p><b>${t("web.card.different")}</b></p>
		${titles.map(([w, n], i) => html`<${Then} key=${"t" + i} was=${w} now=${n} />`)}
		${(all ? apart : apart.slice(0, most)).map((d, i) => html`<${Apart} key=${i} d=${d} />`)}
		${!all && apart.length > most && html`<button class="quiet small" onClick=${() => show(true)}>${t("web.change.all", apart.length)}</button>`}
	</section>`
}

const says = (f) => (f ? [f.before, f.after].map((v) => v || "–").join(" → ") : t("web.card.nothing"))

function Apart({ d }) {
	const what = t("web.change." + d.change.op, d.change.label)
	if (!d.was) return html`<p dir="auto"><span class="chip warn">${t("web.card.new")}</span> ${what}</p>`
	if (!d.now) return html`<p dir="auto"><span class="chip warn">${t("web.card.gone")}</span> ${what}</p>`
	return html`<p dir="auto"><b>${what}</b></p>
		${d.called && html`<${Then} was=${d.called} now=${d.change.label} />`}
		${d.was.map((f, i) => html`<${Then} key=${i} label=${(f || d.now[i]).label} was=${says(f)} now=${says(d.now[i])} />`)}`
}

function Then({ label, was, now }) {
	return html`<dl class="then">
		${label && html`<div class="name"><dt class="unseen">${t("nod.field")}</dt><dd>${label}</dd></div>`}
		<div><dt>${t("web.card.then")}</dt><dd><${Said} text=${was} /></dd></div>
		<div><dt>${t("web.card.now")}</dt><dd><${Said} text=${now} /></dd></div>
	</dl>`
}
