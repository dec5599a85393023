// What is said, the oldest first, and the box below it.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { css } from "../lib/css.js"
import { over } from "../lib/over.js"
import { href } from "../lib/router.js"
import { me, plugins } from "../lib/store.js"
import { assistants, loadAssistants } from "../lib/assistants.js"
import { conversation, draft, fresh, resume, turns } from "../lib/talk.js"
import { Icon } from "./icon.js"
import { Composer, submit, take } from "./composer.js"
import { Turn } from "./turn.js"

await css("ask")

/** The talk of this window; focus puts the cursor into the box. */
export function Talk({ focus }) {
	const log = useRef()
	const [drop, hold] = useState(false)
	useEffect(() => void (resume(), loadAssistants()), [])
	useBottom(log)
	const none = assistants.value && !assistants.value.items.length
	const all = turns.value
	const has = (e) => [...(e.dataTransfer?.types || [])].includes("Files")
	return html`<div class=${drop ? "talk drop" : "talk"}
		onDragOver=${(e) => has(e) && (e.preventDefault(), hold(true))} onDragLeave=${(e) => e.currentTarget.contains(e.relatedTarget) || hold(false)}
		onDrop=${(e) => has(e) && (e.preventDefault(), hold(false), take(e.dataTransfer.files))}>
		<div class="ask-log" role="log" aria-live="off" aria-label=${t("web.ask.talk")} tabindex="0" ref=${log}>
			<div class="ask-turns">
				${all.map((turn, i) => html`<${Turn} key=${turn.peek().key} of=${turn} last=${all[i - 1]} next=${all[i + 1]} answer=${(a) => submit(a, words(turn.value.form, a))} />`)}
				${!all.length && (none ? html`<${Nobody} />` : html`<${Begin} />`)}
			</div>
		</div>
		<${Aloud} />
		${none ? null : html`<${Composer} focus=${focus} />`}
	</div>`
}

// As the server writes them.
const words = (form, answers) => form.questions.map((q) => q.text + " " + (answers[q.id] || "–")).join("\n")

/** What stands above the talk: another one, and those of the last half hour. */
export function TalkActs() {
	return html`<button class="quiet" onClick=${async () => over((await import("./talks.js")).Talks)}><${Icon} name="talks" /><span class="unseen">${t("web.ask.talks")}</span></button>
		<button class="quiet" disabled=${!turns.value.length} onClick=${fresh}><${Icon} name="add" /><span class="unseen">${t("web.ask.new")}</span></button>`
}

// Before the first question: what one may ask.
function Begin() {
	const ideas = plugins.value.flatMap((p) => p.asks || [])
	return html`<div class="ask-begin">
		<p class="soft">${t("web.ask.begin")}</p>
		<div class="acts">${ideas.map((key) => html`<button class="chip" key=${key} onClick=${() => ((draft.value = t(key)), submit())}>${t(key)}</button>`)}</div>
	</div>`
}

function Nobody() {
	const { more } = assistants.value
	return html`<div class="ask-begin">
		<p>${more.length ? t("web.ask.nobody.more") : t("web.ask.nobody")}</p>
		${!more.length && me.value?.operator && html`<p><a class="button" href=${href("/operator/assistants")}>${t("web.ask.nobody.setup")}</a></p>`}
		<div class="acts">${more.map((a) => html`<button key=${a.id} onClick=${async () => over((await import("./ask_more.js")).More, { assistant: a })}>${t("web.more.assistant", a.name)}</button>`)}</div>
	</div>`
}

// Keeps the newest in sight while it grows, unless the person has scrolled up to read.
function useBottom(log) {
	useEffect(() => {
		const el = log.current
		let stuck = true, was = 0
		const down = () => stuck && (el.scrollTop = el.scrollHeight)
		const scrolled = () => {
			if (el.scrollHeight - el.scrollTop - el.clientHeight < 80) stuck = true
			else if (el.scrollTop < was - 2) stuck = false
			was = el.scrollTop
		}
		const grown = new ResizeObserver(down)
		grown.observe(el.firstElementChild)
		grown.observe(el)
		el.addEventListener("scroll", scrolled, { passive: true })
		return () => (grown.disconnect(), el.removeEventListener("scroll", scrolled))
	}, [])
	const n = turns.value.length
	useEffect(() => {
		log.current.scrollTop = log.current.scrollHeight
	}, [n, conversation.value])
}

// For readers of the screen: whole paragraphs and how it ended, not each piece.
function Aloud() {
	const turn = turns.value.at(-1)?.value
	const at = useRef({})
	const [said, say] = useState("")
	useEffect(() => {
		if (!turn) return
		if (at.current.key !== turn.key) at.current = { key: turn.key, n: 0, quiet: turn.state === "over" }
		if (at.current.quiet) return
		const over = turn.state === "over"
		const end = over ? turn.answer.length : turn.answer.lastIndexOf("\n\n")
		if (end > at.current.n) {
			say(turn.answer.slice(at.current.n, end).replace(/[*_`#]/g, ""))
			at.current.n = end
		} else if (over) {
			say([turn.error?.text?.text || (turn.finish !== "stop" ? t("web.ask.finish." + turn.finish) : ""), turn.cards.length > 0 && t("web.ask.cards.count", turn.cards.length)].filter(Boolean).join(" "))
			at.current.quiet = true
		}
	})
	return html`<p class="unseen" aria-live="polite">${said}</p>`
}
