// What people may spend.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { act } from "../../parts/act.js"
import { Amounts, begin, sent } from "../../parts/amounts.js"
import { Sheet } from "../../parts/dialog.js"
import { Tick } from "../../parts/field.js"
import { Trouble } from "../../parts/state.js"

/** who is {accounts} or {everybody}, names says it; single that it is one budget, which is shown as it is. */
export function BudgetSheet({ who, names, budget, single, currency, done }) {
	const [value, set] = useState(() => begin(single && budget))
	const [back, give] = useState(false)
	const [state, say] = useState({})

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const seen = single ? { seen: budget?.updated || "" } : {}
			const result = await act({ path: "/operator/budgets", body: { ...who, ...seen, ...(back ? { default: true } : sent(value)) } }, { card: "always" })
			if (result) return done(result.output)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	const nothing = !back && Object.values(value).every((v) => v.how === "keep")
	return html`<${Sheet} title=${t("web.budget.title", names)} close=${() => done()}>
		<form class="stack" onSubmit=${submit}>
			${!who.everybody && html`<${Tick} label=${t("web.budget.as_all")} checked=${back} onChange=${(e) => give(e.target.checked)} />`}
			${!back && html`<${Amounts} value=${value} change=${set} currency=${currency} />`}
			${!back && !who.everybody && !budget && html`<p class="soft small">${t("web.budget.begins")}</p>`}
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy || nothing}>${t("web.look")}</button></div>
		</form>
	<//>`
}
