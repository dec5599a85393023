// Taking back all that an agent did since some time: what is in the way is said, and can be left out.
import { html, useEffect, useState } from "../lib/html.js"
import { get } from "../lib/api.js"
import { unwall, wall } from "../lib/clock.js"
import { several, t } from "../lib/i18n.js"
import { href } from "../lib/router.js"
import { told } from "../parts/act.js"
import { apply, look } from "../parts/apply.js"
import { CardBody } from "../parts/card.js"
import { Sheet } from "../parts/dialog.js"
import { Field } from "../parts/field.js"
import { Trouble } from "../parts/state.js"

/** at is the time that is proposed; done(true) where something was taken back. */
export function Since({ agent, name, at, done }) {
	const [time, pick] = useState(wall(at))
	const [except, leaveOut] = useState([])
	const [state, say] = useState({})
	const since = unwall(time)
	const known = !Number.isNaN(since.getTime())
	const request = (except) => ({ path: "/undo", body: { agent, since: since.toISOString(), except } })

	async function preview(without = except) {
		say({ busy: true })
		try {
			say({ preview: await look(request(without)) })
		} catch (problem) {
			say(problem.data?.conflicts?.length ? { conflict: problem } : { problem })
		}
	}

	// The entries of the agent that touched what is in the way.
	async function without() {
		const ids = new Set(except)
		say({ ...state, busy: true })
		try {
			const record = [...new Set(state.conflict.data.conflicts.map((c) => c.id))].slice(0, 50)
			for (let cursor = ""; ; ) {
				const page = await all(record, cursor)
				page.items.forEach((e) => ids.add(e.id))
				if (!(cursor = page.next)) break
			}
			leaveOut([...ids])
			await preview([...ids])
		} catch (problem) {
			say({ problem })
		}
	}
	const all = (record, cursor) => get("/audit", { record, agent, since: since.toISOString(), state: "applied", limit: 200, cursor })

	async function confirm() {
		const { preview: p } = state
		say({ ...state, busy: true })
		try {
			const { receipt, ...rest } = await apply(request(except), p)
			told(receipt || rest, t("web.undone"))
			done(true)
		} catch (problem) {
			if (problem.kind !== "stale" && problem.kind !== "expired") return say({ ...state, busy: false, problem })
			await preview()
			say((s) => ({ ...s, stale: true }))
		}
	}

	// A second press of what stood there before is no yes.
	const [armed, arm] = useState(false)
	useEffect(() => {
		arm(false)
		const timer = setTimeout(() => arm(true), 700)
		return () => clearTimeout(timer)
	}, [state.preview])

	const changed = (e) => (pick(e.target.value), leaveOut([]), say({}))
	const p = state.preview
	const main = p
		? html`<button key="yes" class=${p.card.grave || p.money ? "grave main" : "main"} disabled=${state.busy || !armed} onClick=${confirm}>${t("nod.confirm")}</button>`
		: state.conflict
			? html`<button class="main" disabled=${state.busy} onClick=${without}>${t("web.activity.leave_out")}</button>`
			: html`<button class="main" disabled=${!known || state.busy} onClick=${() => preview()}>${t("web.activity.preview")}</button>`
	return html`<${Sheet} title=${t("web.activity.undo_by", name)} close=${() => done()} acts=${html`<button onClick=${() => done()}>${t("web.cancel")}</button>${main}`}>
		<${Field} label=${t("web.activity.undo_from")} hint=${t("web.activity.undo_from.hint")} type="datetime-local" step="1" value=${time} onChange=${changed} />
		<div aria-live="polite" class="stack">
			${state.stale && html`<p class="note warn">${t("web.card.stale")}</p>`}
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			${except.length > 0 && html`<p class="note">${t("web.activity.left_out", except.length)}</p>`}
			${state.conflict && html`<${InTheWay} problem=${state.conflict} leave=${() => done()} />`}
			${p && html`<h3>${p.card.title.text}</h3><${CardBody} ...${p} />`}
		</div>
	<//>`
}

function InTheWay({ problem, leave }) {
	return html`<div class="note warn">
		<p>${problem.message}</p>
		<ul>${problem.data.conflicts.map((c) => html`<li dir="auto">${c.label && html`<b>${c.label}</b> `}${c.labels?.length > 0 && "(" + several(c.labels) + ") "}${c.reason?.text} <a href=${href("/activity", { record: c.id })} onClick=${leave}>${t("web.activity.look")}</a></li>`)}</ul>
		<p>${t("web.activity.leave_out.why")}</p>
	</div>`
}
