// Who may ask which assistant, and for how much: for several people at once.
import { html, useState } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { css } from "../../lib/css.js"
import { useData } from "../../lib/data.js"
import { every } from "../../lib/every.js"
import { t } from "../../lib/i18n.js"
import { over } from "../../lib/over.js"
import { fields, said } from "../../parts/amounts.js"
import { Choice } from "../../parts/field.js"
import { Loaded } from "../../parts/state.js"
import { BudgetSheet } from "./budget_sheet.js"
import { GrantSheet } from "./grant_sheet.js"
import { Head } from "./head.js"
import { People } from "./people.js"

await css("assistants")

export default function Access({ query }) {
	const all = useData(async (o) => {
		const [assistants, grants, budgets] = await Promise.all([list("/operator/assistants", { limit: 200 }, o), every("/operator/grants", {}, o), every("/operator/budgets", {}, o)])
		return { assistants: assistants.items, grants: grants.items, budgets: budgets.items, everybody: budgets.everybody, currency: budgets.currency }
	})
	const [picked, pick] = useState(new Map()) // id -> handle
	const [wide, widen] = useState(false)
	const [only, narrow] = useState(query.assistant || "")
	const who = wide ? { everybody: true } : { accounts: [...picked.keys()] }
	const names = wide ? t("nodkeep_grants.everybody") : t("web.people.picked", picked.size)
	const none = !wide && !picked.size, many = !wide && picked.size > 200

	const done = (answer) => answer && all.reload()

	return html`<${Head} title=${t("web.access")} about=${t("web.access.about")} />
		<${Loaded} of=${all}>${(d) => {
			const budgetOf = new Map(d.budgets.map((b) => [b.account, b]))
			const grantsOf = group(d.grants)
			const forAll = d.grants.filter((g) => g.everybody).map((g) => g.assistant)
			const one = picked.size === 1 && !wide ? budgetOf.get([...picked.keys()][0]) : undefined
			const about = (p) => [
				...new Set([...forAll, ...(grantsOf.get(p.id) || []).map((g) => g.assistant)]),
			].join(", ") || t("web.access.none")
			return html`<section class="panel" aria-labelledby="op-all">
				<h2 id="op-all">${t("web.access.everybody")}</h2>
				<p><span class="soft">${t("web.access.may")}</span> ${forAll.join(", ") || t("web.access.none")}</p>
				<p class="small">${words(d.everybody, d.currency)}</p>
				<div class="acts"><button aria-pressed=${wide ? "true" : "false"} class="chip" onClick=${() => widen(!wide)}>${t("web.access.pick_all")}</button></div>
			</section>
			<div class="bar-acts row" role="group" aria-label=${t("web.access.do")}>
				<b aria-live="polite">${names}</b>
				${many && html`<span class="chip bad">${t("web.access.many")}</span>`}
				<span class="acts">
					<button disabled=${none || many} onClick=${async () => done(await over(GrantSheet, { who, names, assistants: d.assistants, start: only, allow: true }))}>${t("web.grant")}</button>
					<button disabled=${none || many} onClick=${async () => done(await over(GrantSheet, { who, names, assistants: d.assistants, start: only, allow: false }))}>${t("web.grant.not")}</button>
					<button disabled=${none || many} onClick=${async () => done(await over(BudgetSheet, { who, names, budget: wide ? d.everybody : one, single: wide || picked.size === 1, currency: d.currency }))}>${t("web.budget")}</button>
				</span>
			</div>
			<section class="panel" aria-labelledby="op-people">
				<h2 id="op-people">${t("web.access.people")}</h2>
				<${Choice} label=${t("web.access.only")} value=${only} choices=${[["", t("web.access.any")], ...d.assistants.map((a) => [a.id, a.name || a.id])]} onChange=${(e) => narrow(e.target.value)} />
				<${People} picked=${picked} pick=${pick} off=${wide} show=${(p) => !only || forAll.includes(only) || (grantsOf.get(p.id) || []).some((g) => g.assistant === only)}
					row=${(p) => html`<span class="soft small">${about(p)}<br />${words(budgetOf.get(p.id), d.currency, t("web.access.as_all"))}</span>`} />
			</section>`
		}}<//>`
}

function group(grants) {
	const out = new Map()
	for (const g of grants) out.set(g.account, [...(out.get(g.account) || []), g])
	return out
}

// A budget in one line; without one, what holds instead.
function words(b, currency, otherwise = t("nodkeep.card.amount.none")) {
	if (!b) return otherwise
	const limits = fields.filter((f) => b[f] !== null)
	return limits.length ? limits.map((f) => t("nodkeep_budgets." + f) + ": " + said(f, b[f], currency)).join(" · ") : t("nodkeep.card.amount.none")
}
