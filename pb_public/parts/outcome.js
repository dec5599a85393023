// What became of a proposal: done, discarded, over or failed; where, when, and the way back.
import { html, useState } from "../lib/html.js"
import { ago, dated, moment, t } from "../lib/i18n.js"
import { now } from "../lib/clock.js"
import { href } from "../lib/router.js"
import { act, told, undo } from "./act.js"
import { Diff } from "./diff.js"
import { Icon } from "./icon.js"
import { Kept } from "./items.js"
import { because } from "./state.js"
import { say } from "./toast.js"

const signs = { applied: "check", discarded: "close", expired: "clock", failed: "warn", stale: "warn", replaced: "edit" }

/** The sign and word of a state, for lists too. */
export function State({ state, undone }) {
	const name = undone ? "undone" : state
	return html`<span class=${"chip state " + (undone ? "" : state === "applied" ? "good" : state === "failed" ? "bad" : "")}><${Icon} name=${undone ? "undo" : signs[state] || "clock"} />${t("web.state." + name)}</span>`
}

/** Draws the end of a card. */
export function Outcome({ s, acts, compact }) {
	const p = s.p
	const [undone, took] = useState(false)
	const back = p.undone || undone
	const by = ["web", "client", "cli", "telegram", "slack"].includes(p.by) ? (p.by === "web" ? t("web.card.by.web") : t("nod.by." + p.by)) : ""
	const when = ago(p.decided || p.expires, now())
	return html`<div class="outcome">
		<p class="outcome-title" tabindex="-1" role="status"><${State} state=${p.state} undone=${back} /></p>
		${s.why === "elsewhere" && p.state !== "expired" && html`<p class="note">${t("web.card.elsewhere")}</p>`}
		${s.why === "after" && html`<p class="note">${t("web.card.after")}</p>`}
		${s.lapsed && html`<p class="note warn">${t("web.card.lapsed")}</p>`}
		<p>${said(p, by, when)}</p>
		${p.reason && html`<p class="soft small">${p.state === "discarded" ? t("nod.why") : t("web.card.why")}</p><blockquote dir="auto">${p.reason}</blockquote>`}
		${p.items.length > 1 ? html`<${Kept} p=${p} />` : !compact && html`<${Diff} changes=${p.items[0].changes} unseen=${p.items[0].unseen} open=${p.state === "applied" ? undefined : false} />`}
		${p.state === "applied" && !back && html`<${Back} p=${p} took=${took} />`}
		${(p.state === "stale" || p.state === "replaced") && p.replaced_by && html`<div class="acts"><button class="main" onClick=${() => acts.follow(p.replaced_by).catch((problem) => say(because(problem), { bad: true }))}>${t("web.card.successor")}</button></div>`}
		${(p.state === "expired" || p.state === "failed") && html`<p>${t("nod.ask_again")}</p><${Myself} p=${p} />`}
	</div>`
}

function said(p, by, when) {
	switch (p.state) {
		case "applied":
			return by ? t("nod.applied.what", by, when) : t("web.card.applied", when)
		case "discarded":
			return p.by ? t("web.card.discarded", by, when) : t("web.card.revoked", when)
		case "expired":
			return t("web.card.expired", ago(p.expires, now()))
		case "failed":
			return t("web.card.failed", when)
		default:
			return t("web.card.replaced", when)
	}
}

function Back({ p, took }) {
	const [busy, work] = useState(false)
	if (!p.receipt?.undo_until) return html`<p class="soft small">${t("nod.no_undo")}</p>`
	if (Date.parse(p.receipt.undo_until) < now()) return null
	async function go() {
		work(true)
		const done = await undo({ audit: p.receipt.audit })
		work(false)
		if (done) took(true)
	}
	return html`<div class="acts"><button disabled=${busy} onClick=${go}><${Icon} name="undo" />${t("web.undo")}</button><span class="soft small">${t("nod.undo.until", moment(p.receipt.undo_until, dated))}</span></div>`
}

// What an agent asked for too late, the person may do themselves, as anything else: looked at first.
function Myself({ p }) {
	const [item] = p.items
	const able = p.items.length === 1 && item.args && typeof item.args === "object" && !("sha256" in item.args) && item.tool !== "undo"
	if (!able) return null
	async function go() {
		try {
			const done = await act({ tool: item.tool, args: item.args }, { card: "always", quiet: true })
			if (done) told(done.receipt)
		} catch (problem) {
			say(because(problem), { bad: true })
		}
	}
	return html`<div class="acts"><button onClick=${go}>${t("web.card.myself")}</button></div>`
}

/** The way to what else waits. */
export const Next = ({ count }) => count > 0 && html`<a class="button" href=${href("/inbox")}>${t("nod.next", count)}</a>`
