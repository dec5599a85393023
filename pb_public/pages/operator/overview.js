// What an operator looks after, as rows with counts.
import { html } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { ago, t } from "../../lib/i18n.js"
import { href } from "../../lib/router.js"
import { useData } from "../../lib/data.js"
import { Loaded } from "../../parts/state.js"
import { OpRow, pageAt } from "../../parts/oplist.js"

const watch = ["users", "nodkeep/waiting", "nodkeep_links", "nodkeep_requests"]

export default function Overview() {
	const overview = useData((o) => list("/operator/overview", {}, o), [], { watch })
	return html`<header><h1>${t("web.operator")}</h1></header>
		<${Loaded} of=${overview}>${(n) => html`
			<${Group} title=${t("web.operator.people")} rows=${[
				["waiting", n.waiting, n.waiting > 0 && t("web.operator.oldest", ago(n.oldest)), true],
				["requests", n.requests, t("web.operator.requests.about"), true],
				["accounts", n.members, n.suspended > 0 ? t("web.operator.suspended", n.suspended) : t("web.operator.accounts.about")],
				["operators", n.operators, t("web.operator.operators.about")],
				["invites", undefined, t("web.operator.links", n.links)],
				["resets", undefined, t("web.operator.resets.about")],
			]} />
			<${Group} title=${t("web.operator.models")} rows=${[["assistants"], ["grants"], ["budgets"], ["figures"]]} />
			<${Group} title=${t("web.operator.instance")} rows=${[["settings", undefined, t("web.operator.settings.about")], ["health", undefined, t("web.operator.health.about")]]} />
		`}<//>`
}

// Rows whose pages there are. What asks for an answer stands out where it is not none.
function Group({ title, rows }) {
	const there = rows.filter(([name]) => pageAt("/operator/" + name))
	if (!there.length) return null
	return html`<section class="stack"><h2>${title}</h2><ul class="items panel op-list">${there.map(([name, count, about, asks]) => {
		const { path, title } = pageAt("/operator/" + name)
		const shown = count !== undefined && html`<span class=${asks && count > 0 ? "badge" : "op-count soft"}>${count}</span>`
		return html`<li class="item" key=${name}><${OpRow} name=${t(title)} about=${about} to=${href(path)}>${shown}<//></li>`
	})}</ul></section>`
}
