// Invitations: who comes by one does not wait.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { OpHead } from "../../parts/oplist.js"
import { Field } from "../../parts/field.js"
import { Links } from "./links.js"
import { giveLink } from "./link.js"

export default function Invites() {
	const [turn, next] = useState(0)
	const [note, type] = useState("")
	const [busy, work] = useState(false)
	const changed = () => next((n) => n + 1)

	async function invite(e) {
		e.preventDefault()
		work(true)
		const made = await giveLink("/operator/invites", { note }, t("web.operator.invite.ready"), note)
		work(false)
		if (made) type("")
		changed()
	}

	return html`<${OpHead} title=${t("web.operator.invites")} about=${t("web.operator.invites.how")} />
		<form class="panel" onSubmit=${invite}>
			<${Field} label=${t("web.operator.invite.note")} hint=${t("web.operator.invite.note.hint")} value=${note} maxlength="80" autocomplete="off" onInput=${(e) => type(e.target.value)} />
			<div class="acts"><button class="main" disabled=${busy}>${t("web.operator.invite")}</button></div>
		</form>
		<${Links} path="/operator/invites" label=${t("web.operator.invites")} empty=${t("web.operator.invites.empty")} turn=${turn} changed=${changed} name=${(link) => link.note || t("web.operator.invite.none")} />`
}
