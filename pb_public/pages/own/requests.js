// What one asked operators for, and how that stands.
import { html } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { useData } from "../../lib/data.js"
import { over } from "../../lib/over.js"
import { moment, t } from "../../lib/i18n.js"
import { fields, said } from "../../parts/amounts.js"
import { Loaded } from "../../parts/state.js"
import { More } from "../../parts/ask_more.js"
import { turned, useTurn } from "./turn.js"

/** The section of own requests. */
export default function Requests() {
	const own = useTurn(useData((o) => Promise.all([list("/me/more", { limit: 200 }, o), list("/me/usage", { limit: 1 }, o)]), [], { watch: ["nodkeep_requests"] }))
	return html`<section class="panel" aria-labelledby="own-requests">
		<h2 id="own-requests">${t("web.more")}</h2>
		<${Loaded} of=${own}>${([page, usage]) => {
			const limits = fields.filter((f) => usage.limits.some((l) => l.which === f && !l.own))
			const ask = async () => (await over(More, { limits, currency: usage.currency })) && turned()
			return html`${page.items.length
				? html`<ul class="items">${page.items.toReversed().map((q) => html`<li key=${q.id} class="stack">
					<div class="row"><${Wish} q=${q} /><${State} state=${q.state} /></div>
					${q.note && html`<p dir="auto">${q.note}</p>`}
					<p class="soft small">${moment(q.created)}${q.decided ? " · " + t("web.more.decided", moment(q.decided)) : ""}</p>
				</li>`)}</ul>`
				: html`<p class="empty">${t("web.more.none")}</p>`}
				${limits.length > 0 && html`<div class="acts"><button onClick=${ask}>${t("web.more.budget")}</button></div>`}`
		}}<//>
	</section>`
}

/** What a request is for. */
export const Wish = ({ q }) => html`<b>${q.kind === "assistant" ? t("web.more.wants", q.assistant) : fields.filter((f) => q[f] !== null && q[f] !== undefined).map((f) => t("nodkeep_budgets." + f) + ": " + said(f, q[f], q.currency)).join(" · ")}</b>`

/** How it stands. */
export const State = ({ state }) => html`<span class=${"chip " + { open: "warn", approved: "good", refused: "bad" }[state]}>${t("web.more.state." + state)}</span>`
