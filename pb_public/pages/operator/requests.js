// What members ask for: given as asked, given otherwise, or refused.
import { html, useState } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { useData } from "../../lib/data.js"
import { moment, t } from "../../lib/i18n.js"
import { over } from "../../lib/over.js"
import { act, tryAct } from "../../parts/act.js"
import { Amounts, begin, fields, sent } from "../../parts/amounts.js"
import { Sheet } from "../../parts/dialog.js"
import { OpHead } from "../../parts/oplist.js"
import { Loaded, Trouble } from "../../parts/state.js"
import { State, Wish } from "../own/requests.js"

export default function Requests() {
	const [state, choose] = useState("open")
	const all = useData((o) => list("/operator/requests", { state, limit: 200 }, o), [state], { watch: ["nodkeep_requests"] })
	const done = (answer) => answer && all.reload()
	const to = (q, what) => ({ path: `/operator/requests/${q.id}/${what}` })
	return html`<${OpHead} title=${t("web.operator.requests")} about=${t("web.operator.requests.about")} />
		<div class="acts" role="group" aria-label=${t("web.requests.state")}>${["open", "approved", "refused"].map((s) => html`<button key=${s} class="chip" aria-pressed=${s === state ? "true" : "false"} onClick=${() => choose(s)}>${t("web.more.state." + s)}</button>`)}</div>
		<${Loaded} of=${all}>${(page) => html`
			${state === "open" && page.items.length > 0 && html`<p class="soft" role="status">${t("web.requests.count", page.items.length)}</p>`}
			<section class="panel" aria-label=${t("web.operator.requests")}>${page.items.length
				? html`<ul class="items">${page.items.map((q) => html`<li key=${q.id} class="stack">
					<div class="row"><span><b dir="auto">${q.handle}</b> · <${Wish} q=${q} /></span>${q.state !== "open" && html`<${State} state=${q.state} />`}</div>
					${q.note && html`<p dir="auto">${q.note}</p>`}
					<p class="soft small">${moment(q.created)}${q.decided ? " · " + t("web.more.decided", moment(q.decided)) : ""}</p>
					${q.state === "open" && html`<div class="acts">
						<button class="main" onClick=${async () => done(await tryAct(to(q, "approve")))}>${t("web.operator.request.approve")}<span class="unseen">: ${q.handle}</span></button>
						${q.kind === "budget" && html`<button onClick=${async () => done(await over(Otherwise, { q }))}>${t("web.requests.otherwise")}<span class="unseen">: ${q.handle}</span></button>`}
						<button class="grave" onClick=${async () => done(await tryAct(to(q, "refuse"), { card: "always" }))}>${t("web.operator.refuse")}<span class="unseen">: ${q.handle}</span></button>
					</div>`}
				</li>`)}</ul>`
				: html`<p class="empty">${t("web.operator.requests.empty")}</p>`}</section>`}<//>`
}

// Other amounts than were asked for.
function Otherwise({ q, done }) {
	const which = fields.filter((f) => q[f] !== null && q[f] !== undefined)
	const [value, set] = useState(() => Object.fromEntries(which.map((f) => [f, begin(q)[f]])))
	const [state, say] = useState({})

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const result = await act({ path: `/operator/requests/${q.id}/approve`, body: sent(value) })
			if (result) return done(result.output)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	return html`<${Sheet} title=${t("web.requests.otherwise.title", q.handle)} close=${() => done()}>
		<form class="stack" onSubmit=${submit}>
			<${Amounts} which=${which} value=${value} change=${set} currency=${q.currency} hows=${["most", "none"]} />
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy}>${t("web.operator.request.approve")}</button></div>
		</form>
	<//>`
}
