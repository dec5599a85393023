// Limits that one sets oneself: the lower one counts.
import { html, useState } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { useData } from "../../lib/data.js"
import { t } from "../../lib/i18n.js"
import { act } from "../../parts/act.js"
import { Amounts, begin, fields, said, sent } from "../../parts/amounts.js"
import { Loaded, Trouble } from "../../parts/state.js"
import { turned, useTurn } from "./turn.js"

/** The section of one's own limits. */
export default function Limits() {
	const usage = useTurn(useData((o) => list("/me/usage", { limit: 1 }, o)))
	const [open, show] = useState(false)
	return html`<section class="panel" aria-labelledby="own-limits">
		<h2 id="own-limits">${t("web.limits")}</h2>
		<p class="soft">${t("web.limits.about")}</p>
		<${Loaded} of=${usage}>${(u) => open
			? html`<${Form} own=${u.own} currency=${u.currency} done=${() => (show(false), turned())} cancel=${() => show(false)} />`
			: html`<dl class="pairs">${fields.map((f) => html`<div key=${f}><dt>${t("nodkeep_budgets." + f)}</dt><dd class="number">${said(f, u.own[f], u.currency)}</dd></div>`)}</dl>
				<div class="acts"><button onClick=${() => show(true)}>${t("web.limits.change")}</button></div>`}<//>
	</section>`
}

function Form({ own, currency, done, cancel }) {
	const [value, set] = useState(() => begin(own))
	const [state, say] = useState({})

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			if (await act({ path: "/me/limits", body: { ...sent(value), seen: own.updated || "" } })) return done()
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	return html`<form class="stack" onSubmit=${submit}>
		<${Amounts} value=${value} change=${set} currency=${currency} hows=${["none", "most"]} />
		${state.problem && html`<${Trouble} problem=${state.problem} />`}
		<div class="acts end"><button type="button" onClick=${cancel}>${t("web.cancel")}</button><button class="main" disabled=${state.busy}>${t("web.save")}</button></div>
	</form>`
}
