// Who changed what of a subscription, through what, and the way back.
import { Diff, Endless, html, Icon, list, moment, t, undo, useState } from "../../kit.js"
import { below } from "./words.js"

export function History({ s, members }) {
	const [open, set] = useState(false)
	// Its charges and pauses are its history too: those that the server has at hand.
	const record = [s.id, ...s.charges.map((c) => c.id), ...(s.pauses || []).map((p) => p.id)].filter(Boolean).slice(0, 50)
	const who = (a) => [members.find((m) => m.id === a.person)?.handle || (a.door === "cli" ? t("household.web.door.cli") : t("household.web.somebody")), a.agent_name].filter(Boolean).join(" · ")
	const row = (e) => html`<div class="entry">
		<div class="row"><p><b>${t("household.title." + e.tool.replace("household_", ""))}</b> <span class="soft small">${who(e.actor)} · ${moment(e.created)}</span></p>
			${e.undone_by ? html`<span class="chip">${t("household.web.undone")}</span>` : e.state === "applied" && e.effect !== "read" && html`<button class="quiet" onClick=${() => undo({ audit: [e.id] })}><${Icon} name="undo" />${t("web.undo")}<span class="unseen">: ${moment(e.created)}</span></button>`}</div>
		${e.reason && html`<p class="small soft" dir="auto">${e.reason}</p>`}
		<${Diff} changes=${e.changes} unseen=${e.unseen} open=${false} />
	</div>`
	return html`<section class="panel"><details open=${open} onToggle=${(e) => set(e.target.open)}><summary><h2>${t("household.web.history")}</h2></summary>
		${open && html`<${Endless} label=${t("household.web.history")} deps=${[record.join()]} watch=${below} empty=${t("household.web.history.none")} load=${(cursor, o) => list("/audit", { record, limit: 50, cursor }, o)} row=${row} />`}
	</details></section>`
}
