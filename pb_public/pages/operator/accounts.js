// Everybody who has an account, by handle.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { over } from "../../lib/over.js"
import { OpHead, OpList } from "../../parts/oplist.js"
import { Icon } from "../../parts/icon.js"
import { AccountRow } from "./account.js"
import { AddAccount } from "./add.js"

export default function Accounts() {
	const [turn, next] = useState(0)
	const changed = () => next((n) => n + 1)
	return html`<${OpHead} title=${t("web.operator.accounts")}><button onClick=${async () => (await over(AddAccount)) && changed()}><${Icon} name="add" />${t("web.operator.add")}</button><//>
		<${OpList} label=${t("web.operator.accounts")} path="/operator/accounts" search=${t("web.operator.find")} watch=${["users"]} turn=${turn}
			row=${(a) => html`<${AccountRow} account=${a} changed=${changed} />`} />`
}
