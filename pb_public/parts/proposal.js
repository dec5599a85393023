// A proposal, from whichever door: who asks for what, what it would do, and the person's answer.
import { html, useEffect, useId, useRef, useState } from "../lib/html.js"
import { moment, t } from "../lib/i18n.js"
import { now } from "../lib/clock.js"
import { CardBody } from "./card.js"
import { Asker } from "./asker.js"
import { Difference } from "./difference.js"
import { Items } from "./items.js"
import { Outcome } from "./outcome.js"
import { Said } from "./said.js"
import { Trouble } from "./state.js"
import { Refusal } from "./refusal.js"
import { Icon } from "./icon.js"
import { useDeciding } from "./deciding.js"

/**
 * Shows a proposal by its id, or one that is known already, and answers it. compact folds what is
 * long; level is that of its heading; focus gives Confirm the focus, unless that could do harm.
 * onDone(proposal) is told once it is decided, here or elsewhere; onShow(proposal) what is shown.
 */
export function Proposal({ id, proposal, compact, level = 2, focus, onDone, onShow }) {
	const [s, acts] = useDeciding({ id, proposal, onDone })
	const [form, show] = useState("") // discard, edit
	const name = useId()
	const ref = useRef()
	const p = s.p
	const waits = p?.state === "pending"
	useFocus(ref, s, focus)
	useStill(ref, waits, acts.moved)
	useEffect(() => (show(""), p && onShow?.(p), undefined), [p?.id, p?.state])
	if (!p) return s.problem ? html`<${Trouble} problem=${s.problem} retry=${acts.reload} />` : html`<p class="empty" aria-busy="true">${t("web.loading")}</p>`
	const H = "h" + level
	const shown = s.shown || p
	return html`<article ref=${ref} class=${"card" + (compact ? " compact" : "") + (waits ? "" : " decided")} aria-labelledby=${name} aria-busy=${!!s.busy}>
		<${Asker} p=${p} />
		<${H} class="title" id=${name} tabindex="-1"><${Said} text=${p.card.title.text} /><//>
		<div class="said" aria-live="polite">${waits && html`<${Note} s=${s} />`}</div>
		${waits && s.was && html`<${Difference} was=${s.was} now=${shown.items} />`}
		${waits
			? html`
				${p.items.length > 1 ? html`<${Items} s=${s} acts=${acts} compact=${compact} />` : html`<${CardBody} ...${shown.items[0]} open=${compact && shown.items[0].changes.length > 1 ? false : undefined} />`}
				<p class=${s.soon ? "note warn until" : "soft small until"}>${s.soon ? t("web.card.soon", until(p.expires)) : t("web.card.until", until(p.expires))}</p>
				${s.problem && html`<${Trouble} problem=${s.problem} />`}
				${form === "discard" && html`<${Refusal} p=${p} busy=${s.busy} discard=${acts.discard} back=${() => show("")} />`}
				${form === "edit" && html`<${Edit} p=${p} edit=${acts.edit} back=${() => show("")} />`}
				${!form && html`<${Acts} s=${s} acts=${acts} show=${show} />`}
			`
			: html`<${Outcome} s=${s} acts=${acts} compact=${compact} />`}
	</article>`
}

const until = (at) => moment(at, Math.abs(Date.parse(at) - now()) < 5 * 86400000 ? { weekday: "long", hour: "numeric", minute: "2-digit" } : undefined)

// What deletes, cancels or is sent away is red; neither that nor what moves money gets the focus.
const harms = (p) => p.card.grave || p.items.some((i) => i.effect === "destroy" || i.effect === "send")
const grave = (p) => harms(p) || p.items.some((i) => i.money)

function Acts({ s, acts, show }) {
	const none = s.kept.length === 0
	const off = !s.armed || !!s.busy || s.looking || none || s.cannot || s.over || s.p.mode === "gone"
	const some = s.kept.length < s.p.items.length
	return html`${none && html`<p class="note warn">${t("nod.none_ticked")}</p>`}
	<div class="acts answer">
		<button class=${harms(s.shown || s.p) ? "main grave yes" : "main yes"} disabled=${off} aria-busy=${s.busy === "confirm"} onClick=${acts.confirm}>
			${s.busy === "confirm" ? t("web.card.busy") : some && !none ? t("web.card.some", s.kept.length) : t("nod.confirm")}
		</button>
		<button class="no" disabled=${!!s.busy || s.over} onClick=${() => show("discard")}>${t("nod.discard")}</button>
		${editable(s.p) && html`<button class="quiet" disabled=${!!s.busy || s.over} onClick=${() => show("edit")}><${Icon} name="edit" /><span class="words">${t("web.card.edit")}</span></button>`}
	</div>`
}

// Of arguments that are too long there is only a hash, which nobody can change.
const editable = (p) => p.items.every((i) => i.args && typeof i.args === "object" && !("sha256" in i.args) && i.tool !== "undo")

function Note({ s }) {
	if (s.over) return html`<p class="note warn">${t("web.card.over")}</p>`
	if (s.unsure) return html`<p class="note warn">${t("web.card.unsure")}</p>`
	if (s.why === "stale") return html`<p class="note warn" tabindex="-1">${t("web.card.stale")}</p>`
	if (s.why === "again") return html`<p class="note warn" tabindex="-1">${t("web.card.again")}</p>`
	if (s.why === "edited") return html`<p class="note" tabindex="-1">${t("nod.said.replaced")}</p>`
	if (s.why === "undone") return html`<p class="note warn" tabindex="-1">${t("web.card.notdone")}</p>`
	if (s.kept.length && s.kept.length < s.p.items.length) return html`<p class="note">${s.looking ? t("web.card.looking") : t("nod.said.chosen")}</p>`
	return null
}

// The form comes when somebody wants it.
function Edit(props) {
	const [module, set] = useState()
	useEffect(() => void import("./amend.js").then(set, () => set({})), [])
	if (module && !module.Amend) return html`<${Trouble} problem=${{ kind: "offline" }} retry=${props.back} />`
	return module ? html`<${module.Amend} ...${props} />` : html`<p class="empty" aria-busy="true">${t("web.loading")}</p>`
}

// What stands above may become shorter at any time, as another card that was decided elsewhere: a press that
// was meant for what lay under the finger must not hit this Confirm. The keyboard is where it was.
function useStill(ref, waits, moved) {
	useEffect(() => {
		if (!waits) return
		let was
		const seen = new ResizeObserver(() => {
			const yes = ref.current?.querySelector(".yes")
			const at = yes && yes.getBoundingClientRect().top + scrollY
			if (Math.abs(at - was) > 4 && yes !== document.activeElement) moved()
			was = at
		})
		seen.observe(ref.current.closest("main, .ask-turns") || document.body)
		return () => seen.disconnect()
	}, [waits])
}

// Where the focus goes: to what has just been said, or to what became of it, if it was on what is
// gone now. To Confirm only once, only when asked, and never where it could do harm.
function useFocus(ref, s, focus) {
	const last = useRef({})
	useEffect(() => {
		const was = last.current
		last.current = { id: s.p?.id, state: s.p?.state, why: s.why }
		const card = ref.current
		if (!card || !was.id) return
		const lost = document.activeElement === document.body || card.contains(document.activeElement)
		if (!lost || (was.id === s.p.id && was.state === s.p.state && (was.why === s.why || !s.why))) return
		;(card.querySelector(".outcome-title") || card.querySelector(".said [tabindex]") || card.querySelector(".title"))?.focus({ preventScroll: false })
	}, [s.p?.id, s.p?.state, s.why])
	const done = useRef(false)
	useEffect(() => {
		const card = ref.current
		if (!focus || done.current || !s.armed || !card || s.p?.state !== "pending") return
		done.current = true
		if (!grave(s.p) && document.activeElement?.matches("h1, h2, body")) card.querySelector(".yes")?.focus({ preventScroll: true })
	}, [s.armed, s.p?.id])
}
