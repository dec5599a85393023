// Everybody who has an account, by handle.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { over } from "../../lib/over.js"
import { OpHead, OpList } from "../../parts/oplist.js"
import { Icon } from "../../parts/icon.js"
import { go } from "../../lib/router.js"
import { AccountRow } from "./account.js"
import { AddAccount } from "./add.js"

const standings = ["", "approved", "waiting", "suspended"]

export default function Accounts({ query }) {
	const [turn, next] = useState(0)
	const changed = () => next((n) => n + 1)
	return html`<${OpHead} title=${t("web.operator.accounts")}><button onClick=${async () => (await over(AddAccount)) && changed()}><${Icon} name="add" />${t("web.operator.add")}</button><//>
		<div class="acts" role="group" aria-label=${t("web.operator.standing")}>${standings.map((s) => html`<button key=${s} class="chip" aria-pressed=${(query.status || "") === s} onClick=${() => go("/operator/accounts", { status: s }, { replace: true })}>${s ? t("web.operator.standing." + s) : t("web.operator.standing.all")}</button>`)}</div>
		<${OpList} label=${t("web.operator.accounts")} path="/operator/accounts" query=${{ status: query.status }} empty=${t("web.operator.standing.none")} search=${t("web.operator.find")} watch=${["users"]} turn=${turn}
			row=${(a) => html`<${AccountRow} account=${a} changed=${changed} />`} />`
}
