// One entry, whole: who, through what, when, field by field, and the way back.
import { html } from "../lib/html.js"
import { get } from "../lib/api.js"
import { moment, t } from "../lib/i18n.js"
import { href } from "../lib/router.js"
import { over } from "../lib/over.js"
import { me } from "../lib/store.js"
import { useData } from "../lib/data.js"
import { css } from "../lib/css.js"
import { undo } from "../parts/act.js"
import { Diff } from "../parts/diff.js"
import { Icon } from "../parts/icon.js"
import { Loaded } from "../parts/state.js"
import { Sheet } from "../parts/dialog.js"
import { Figures } from "./activity_ask.js"
import { State, titleOf, whoOf } from "./activity_row.js"

await css("activity")

/** An entry over the list; done(true) where something was taken back. */
export function EntrySheet({ id, done }) {
	const entry = useData((o) => get("/audit/" + id, {}, o), [id])
	const close = () => done(false)
	return html`<${Sheet} title=${entry.data ? titleOf(entry.data) : t("web.activity.entry")} close=${close} acts=${entry.data && acts(entry.data, done)}>
		<${Loaded} of=${entry}>${(e) => html`<${Entry} entry=${e} leave=${close} />`}<//>
	<//>`
}

/** The same as a page, for a link to it. */
export default function Page({ params }) {
	const entry = useData((o) => get("/audit/" + params.id, {}, o), [params.id])
	const after = (did) => did && entry.reload()
	return html`<header><h1>${entry.data ? titleOf(entry.data) : t("web.activity.entry")}</h1></header>
		<p><a href=${href("/activity")}>${t("web.activity.all")}</a></p>
		<section class="panel"><${Loaded} of=${entry}>${(e) => html`<${Entry} entry=${e} /><div class="acts">${acts(e, after)}</div>`}<//></section>`
}

function acts(e, done) {
	const back = e.state === "applied" && e.effect !== "read" && e.changes.length > 0 && !e.undone_by
	const all = e.actor.agent && e.actor.person === me.value.id && e.tool !== "ask"
	const since = async () => {
		const { Since } = await import("./activity_since.js")
		if (await over(Since, { agent: e.actor.agent, name: e.actor.agent_name || e.actor.agent, at: e.created })) done(true)
	}
	return (back || all) && html`
		${all && html`<button class="quiet" onClick=${since}>${t("web.activity.undo_since")}</button>`}
		${back && html`<button onClick=${async () => (await undo({ audit: [e.id] })) && done(true)}><${Icon} name="undo" />${t("web.undo")}</button>`}
	`
}

function Entry({ entry: e, leave }) {
	const link = (id, text) => html`<a href=${href("/activity/" + id)} onClick=${leave}>${text}</a>`
	return html`
		<p class="acts"><span class="soft" dir="auto">${whoOf(e)}</span><time class="soft" datetime=${e.created}>${moment(e.created)}</time><${State} entry=${e} /></p>
		${e.reason && html`<p class=${e.state === "applied" ? "note" : "note warn"} dir="auto">${e.reason}</p>`}
		${!e.tool && !e.changes.length && html`<p class="note">${t("web.activity.hidden.why")}</p>`}
		${e.undone_by && html`<p class="note">${t("web.activity.undone_by")} ${link(e.undone_by, t("web.activity.look"))}</p>`}
		${e.undoes.length > 0 && html`<p class="note">${t("web.activity.undoes", e.undoes.length)} ${e.undoes.slice(0, 20).map((id, i) => html`${i > 0 && " · "}${link(id, e.undoes.length > 1 ? t("web.activity.nth", i + 1) : t("web.activity.look"))}`)}</p>`}
		${e.proposal && html`<p><a href=${href("/inbox/" + e.proposal)} onClick=${leave}>${t("web.activity.card")}</a></p>`}
		${e.tool === "ask" && e.args ? html`<${Figures} args=${e.args} leave=${leave} />` : html`
			<${Diff} changes=${e.changes} unseen=${e.tool ? e.unseen : 0} open=${e.changes.length <= 5} />
			${e.more && html`<p class="soft small">${t("web.activity.more")}</p>`}
			${!e.changes.length && !e.unseen && e.state === "applied" && html`<p class="soft">${t("web.activity.nothing")}</p>`}
			${e.args && html`<details><summary>${t("web.activity.args")}</summary><pre tabindex="0" dir="auto">${JSON.stringify(e.args, null, 2)}</pre></details>`}
		`}
		<${Technical} entry=${e} />`
}

// For whoever looks for something in a log, or calls a tool by its name.
function Technical({ entry: e }) {
	const rows = [[t("web.activity.id"), e.id], [t("web.activity.tool"), e.tool], [t("web.activity.model"), e.actor.model]].filter(([, v]) => v)
	return html`<details><summary>${t("web.activity.technical")}</summary><dl class="activity-facts">${rows.map(([k, v]) => html`<dt>${k}</dt><dd><code>${v}</code></dd>`)}</dl></details>`
}

