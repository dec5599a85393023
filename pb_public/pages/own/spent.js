// What was used today and this month, how far the limits are, and the days and months before.
import { html, useState } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { css } from "../../lib/css.js"
import { useData } from "../../lib/data.js"
import { ago, number, t } from "../../lib/i18n.js"
import { micros } from "../../lib/micros.js"
import { Loaded } from "../../parts/state.js"
import { Used } from "../../parts/used.js"
import { useTurn } from "./turn.js"

await css("usage")

/** The section of the own usage. */
export default function Spent() {
	const [by, set] = useState("day")
	const usage = useTurn(useData((o) => list("/me/usage", { by, limit: 200 }, o), [by]))
	return html`<section class="panel" aria-labelledby="own-spent">
		<h2 id="own-spent">${t("web.usage.spent")}</h2>
		<${Loaded} of=${usage}>${(u) => html`
			<div class="used-sums">
				<${Sum} label=${t("web.usage.today")} sum=${u.day} currency=${u.currency} />
				<${Sum} label=${t("web.usage.month")} sum=${u.month} currency=${u.currency} />
			</div>
			${u.limits.length ? u.limits.map((l) => html`<${Bar} key=${l.which + l.own} limit=${l} currency=${u.currency} />`) : html`<p class="soft">${t("web.usage.free")}</p>`}
			<div class="row"><h3>${t("web.usage.before")}</h3><${By} value=${by} change=${set} /></div>
			<${Used} items=${u.items} by=${by} currency=${u.currency} empty=${t("web.usage.none")} />
			${u.next && html`<p class="soft small">${t("web.usage.cut")}</p>`}
		`}<//>
	</section>`
}

/** Days or months. */
export const By = ({ value, change }) =>
	html`<span class="acts" role="group" aria-label=${t("web.usage.by")}>${["day", "month"].map((v) => html`<button key=${v} class="chip" aria-pressed=${v === value ? "true" : "false"} onClick=${() => change(v)}>${t("web.usage.by." + v)}</button>`)}</span>`

const Sum = ({ label, sum, currency }) => html`<div><p class="soft">${label}</p><p class="big">${micros(sum.cost_micros, currency)}</p><p class="soft small">${t("web.usage.tokens", sum.tokens)}</p></div>`

// A limit as a bar, and all that it says in words beside it.
function Bar({ limit: l, currency }) {
	const cost = l.which.endsWith("_cost"), say = (n) => (cost ? micros(n, currency) : number(n))
	const share = l.limit ? Math.min(100, Math.round((l.used / l.limit) * 100)) : 100 // for drawing only
	const name = t("web.limit." + l.which)
	const words = t("web.limit.used", say(l.used), say(l.limit))
	return html`<div class="limit">
		<div class="row"><b>${name}</b>${l.own && html`<span class="chip">${t("web.limit.own")}</span>`}<span class="number">${words}</span></div>
		<div class=${"gauge" + (share >= 100 ? " full" : l.near ? " near" : "")} role="meter" aria-label=${name} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${share} aria-valuetext=${words}><span style=${{ width: share + "%" }}></span></div>
		<p class="soft small">${[l.limit ? t("web.limit.left", say(l.left)) : t("web.limit.nothing"), l.held > 0 && t("web.limit.held", say(l.held)), t("web.limit.resets", ago(l.resets))].filter(Boolean).join(" · ")}</p>
	</div>`
}
