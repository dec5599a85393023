// Who looks after the instance.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { href } from "../../lib/router.js"
import { OpHead, OpList } from "../../parts/oplist.js"
import { AccountRow } from "./account.js"

export default function Operators() {
	const [turn, next] = useState(0)
	return html`<${OpHead} title=${t("web.operator.operators")} about=${t("web.operator.operators.how")} />
		<${OpList} label=${t("web.operator.operators")} path="/operator/operators" watch=${["users"]} turn=${turn}
			row=${(a) => html`<${AccountRow} account=${a} changed=${() => next((n) => n + 1)} />`} />
		<p><a class="button" href=${href("/operator/accounts")}>${t("web.operator.operators.name")}</a></p>`
}
