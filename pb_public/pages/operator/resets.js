// Links by which members set new passwords.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { href } from "../../lib/router.js"
import { OpHead } from "../../parts/oplist.js"
import { Field } from "../../parts/field.js"
import { Links } from "./links.js"
import { giveLink } from "./link.js"

export default function Resets() {
	const [turn, next] = useState(0)
	const [account, type] = useState("")
	const [busy, work] = useState(false)
	const changed = () => next((n) => n + 1)

	async function give(e) {
		e.preventDefault()
		work(true)
		const name = account.trim()
		const made = await giveLink("/operator/resets", { account: name }, t("nodkeep.card.reset", name), t("web.operator.reset.hand", name))
		work(false)
		if (made) type("")
		changed()
	}

	return html`<${OpHead} title=${t("web.operator.resets")} about=${t("web.operator.resets.how")} />
		<form class="panel" onSubmit=${give}>
			<${Field} label=${t("web.operator.reset.who")} value=${account} required autocapitalize="none" autocomplete="off" spellcheck=${false} onInput=${(e) => type(e.target.value)} />
			<div class="acts"><button class="main" disabled=${busy}>${t("web.operator.reset")}</button><a href=${href("/operator/accounts")}>${t("web.operator.accounts")}</a></div>
		</form>
		<${Links} path="/operator/resets" label=${t("web.operator.resets")} empty=${t("web.operator.resets.empty")} turn=${turn} changed=${changed} name=${(link) => link.handle} />`
}
