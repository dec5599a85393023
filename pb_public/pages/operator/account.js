// One account, over the page: what is known of it, and what can be done.
import { html, useState } from "../../lib/html.js"
import { dated, moment, t } from "../../lib/i18n.js"
import { me } from "../../lib/store.js"
import { go } from "../../lib/router.js"
import { tryAct } from "../../parts/act.js"
import { Sheet } from "../../parts/dialog.js"
import { Chip, OpRow } from "../../parts/oplist.js"
import { over } from "../../lib/over.js"
import { giveLink } from "./link.js"

/** A row of a list of accounts. */
export function AccountRow({ account, changed }) {
	const open = async () => (await over(Account, { account })) && changed()
	return html`<${OpRow} name=${account.handle || account.id} press=${open} chips=${html`<${Marks} of=${account} />`}
		about=${account.approved ? t("web.operator.member", moment(account.approved, dated)) : t("web.operator.asked", moment(account.created, dated))} />`
}

function Marks({ of: a }) {
	return html`${a.id === me.value.id && html`<${Chip}>${t("web.operator.you")}<//>`}
		${a.operator && html`<${Chip} kind="good">${t("web.operator.one")}<//>`}
		${a.status !== "approved" && html`<${Chip} kind=${a.status === "waiting" ? "warn" : "bad"}>${t("web.operator.status." + a.status)}<//>`}`
}

function Account({ account: a, done }) {
	const [busy, work] = useState(false)
	const own = a.id === me.value.id
	const name = a.handle || a.id

	// The role of one's own is taken by a card: afterwards these pages are closed.
	async function run(path, body, options) {
		work(true)
		const result = await tryAct({ path: "/operator" + path, body }, options)
		work(false)
		if (!result) return
		if (own && path.endsWith("/remove")) {
			me.value = { ...me.value, operator: false }
			go("/")
		}
		done(true)
	}
	async function link() {
		work(true)
		const made = await giveLink("/operator/resets", { account: a.id }, t("nodkeep.card.reset", name), t("web.operator.reset.hand", name))
		work(false)
		if (made) done(true)
	}

	const acts = {
		waiting: [["web.operator.decide", () => (done(), go("/operator/waiting"))]],
		approved: [
			["web.operator.account.reset", link],
			a.operator ? ["nodkeep.card.operator_remove", () => run(`/operators/${a.id}/remove`, {}, { card: "always" })] : ["nodkeep.card.operator_add", () => run("/operators", { account: a.id }, { card: "always" })],
			["nodkeep.card.suspend", () => run(`/accounts/${a.id}/suspend`), true],
		],
	}[a.status] || [["nodkeep.card.restore", () => run(`/accounts/${a.id}/restore`)]]

	return html`<${Sheet} title=${name} close=${() => done()}>
		${(own || a.operator || a.status !== "approved") && html`<p class="acts"><${Marks} of=${a} /></p>`}
		<dl class="op-facts">
			<dt>${t("web.operator.account.created")}</dt><dd>${moment(a.created)}</dd>
			${a.approved && html`<dt>${t("web.operator.account.approved")}</dt><dd>${moment(a.approved)}</dd>`}
			<dt>${t("web.operator.account.email")}</dt><dd>${t(!a.has_email ? "web.operator.email.none" : a.verified ? "web.operator.email.verified" : "web.operator.email.there")}</dd>
		</dl>
		<div class="op-acts">${acts.map(([key, press, grave]) => html`<button key=${key} class=${grave ? "grave" : ""} disabled=${busy} onClick=${press}>${t(key, name)}</button>`)}</div>
		${a.status === "approved" && html`<p class="soft small">${t("web.operator.account.delete")}</p>`}
	<//>`
}
