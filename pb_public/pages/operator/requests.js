// What members ask for: an assistant, or a higher budget.
import { html, useState } from "../../lib/html.js"
import { ago, money, number, t } from "../../lib/i18n.js"
import { tryAct } from "../../parts/act.js"
import { OpHead, OpList, OpRow } from "../../parts/oplist.js"

export default function Requests() {
	const [turn, next] = useState(0)
	async function decide(request, what) {
		await tryAct({ path: `/operator/requests/${request.id}/${what}` }, { card: what === "approve" ? "always" : "grave" })
		next((n) => n + 1)
	}
	return html`<${OpHead} title=${t("web.operator.requests")} about=${t("web.operator.requests.about")} />
		<${OpList} label=${t("web.operator.requests")} path="/operator/requests" watch=${["nodkeep_requests"]} turn=${turn} empty=${t("web.operator.requests.empty")} row=${(r) => html`
			<${OpRow} name=${r.handle} about=${html`${wishes(r)}${r.note && html`<span dir="auto"> · ${r.note}</span>`} · ${ago(r.created)}`}>
				<button onClick=${() => decide(r, "approve")}>${t("web.operator.request.approve")}<span class="unseen"> ${r.handle}</span></button>
				<button class="grave" onClick=${() => decide(r, "refuse")}>${t("web.operator.refuse")}<span class="unseen"> ${r.handle}</span></button>
			<//>`} />`
}

// What is asked for, in words.
function wishes(r) {
	if (r.kind === "assistant") return t("web.operator.request.assistant", r.assistant)
	const all = ["day_cost", "month_cost"].filter((name) => r[name]).map((name) => t("web.operator.request." + name, money(r[name], r.currency)))
	return [...all, ...["day_tokens", "month_tokens"].filter((name) => r[name]).map((name) => t("web.operator.request." + name, number(Number(r[name]))))].join(", ")
}
