// One turn: what was asked, what the assistant did and said, and beside it the cards that the server wrote.
import { html, useMemo } from "../lib/html.js"
import { lang, t } from "../lib/i18n.js"
import { micros } from "../lib/micros.js"
import { over } from "../lib/over.js"
import { answersTo } from "../lib/turn.js"
import { Icon } from "./icon.js"
import { Cards } from "./ask_cards.js"
import { Questions } from "./questions.js"
import { Screen } from "./screen.js"
import { Words } from "./words.js"

/** Draws a turn, a signal of lib/turn.js; last and next are those around it, answer is told what was answered to its questions. */
export function Turn({ of, last, next, answer }) {
	const turn = of.value, after = next?.value, before = last?.value
	const busy = turn.state !== "over"
	// Answers stand at their questions already.
	const replies = before?.form && Object.keys(answersTo(before.form, turn)).length > 0
	return html`<article class="turn">
		<div class=${replies ? "unseen" : "ask-asked"}><p class="unseen">${t("web.ask.you")}</p><p dir="auto">${turn.text}</p>
			${turn.files.length > 0 && html`<ul class="acts">${turn.files.map((f) => html`<li class="chip" key=${f} dir="auto">${f}</li>`)}</ul>`}</div>
		<div class="ask-answer">
			<div class="ask-words">
				<${Who} assistant=${turn.assistant} />
				${turn.warning && html`<p class="note warn small">${turn.warning.text}</p>`}
				<${Steps} tools=${turn.tools} busy=${busy} />
				${turn.answer && html`<${Words} text=${turn.answer} />`}
				${busy && html`<p class="soft small ask-going">${turn.cut ? html`<span role="status">${t("web.ask.cut")}</span>` : !turn.answer && html`<span class="ask-dots" aria-hidden="true"><i></i><i></i><i></i></span><span class="unseen">${t("web.ask.thinking")}</span>`}</p>`}
				<${Screens} screens=${turn.screens} />
				${turn.form && html`<${Questions} form=${turn.form} open=${!after && !busy} answers=${answersTo(turn.form, after)} answer=${answer} />`}
				<${End} turn=${turn} />
			</div>
			${turn.cards.length > 0 && html`<${Cards} turn=${of} />`}
		</div>
	</article>`
}

// Drawn once, not with each word.
const Screens = ({ screens }) => useMemo(() => html`${screens.map((s, i) => html`<${Screen} key=${i} screen=${s} />`)}`, [screens.length, lang.value])

function Who({ assistant: a }) {
	if (!a) return null
	return html`<p class="ask-who small soft"><span class="unseen">${t("web.ask.answers")} </span><span dir="auto">${a.name}</span>${a.scripted && html` <span class="chip warn">${t("web.ask.scripted")}</span>`}</p>`
}

// What it does, one line; all steps behind it.
function Steps({ tools, busy }) {
	if (!tools.length) return null
	const now = busy && tools.findLast((x) => x.state === "started")
	const failed = tools.filter((x) => x.state === "failed").length
	return html`<details class="ask-steps">
		<summary class="small">${now ? html`<span class="ask-dots" aria-hidden="true"><i></i><i></i><i></i></span><span dir="auto">${now.title.text} …</span>` : t("web.ask.steps", tools.length)}${failed > 0 && html` <span class="chip bad">${t("web.ask.steps.failed", failed)}</span>`}</summary>
		<ul>${tools.map((x, i) => html`<li key=${i} class=${"small " + x.state}><${Icon} name=${x.state === "failed" ? "warn" : x.state === "done" ? "check" : "more"} /><span dir="auto">${x.title.text}</span><span class="unseen">${t("web.ask.step." + x.state)}</span></li>`)}</ul>
	</details>`
}

// How it ended, where that is not simply an answer; and what it took.
function End({ turn: { error, finish, usage, state, assistant } }) {
	if (state !== "over") return null
	const why = error?.text?.text || (error ? t("web.ask.gone") : "")
	const said = !why && finish && finish !== "stop" && finish !== "form" && t("web.ask.finish." + finish)
	const budget = error?.kind === "limit" && error.text?.key?.startsWith("budget.")
	return html`
		${(why || said) && html`<div class=${"note " + (finish === "stopped" ? "" : "warn")}>
			<p dir="auto">${why || said}</p>
			${error?.retry_after > 0 && html`<${Again} seconds=${error.retry_after} />`}
			${budget && html`<button onClick=${async () => over((await import("./ask_more.js")).More)}>${t("web.ask.more")}</button>`}
		</div>`}
		${usage && !assistant?.scripted && html`<${Used} usage=${usage} />`}
	`
}

// In words, and never counting down.
function Again({ seconds }) {
	const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, s]) => seconds >= s) || ["second", 1]
	return html`<p class="small">${t("web.ask.again", new Intl.RelativeTimeFormat(lang.value).format(Math.ceil(seconds / size), unit))}</p>`
}

function Used({ usage: u }) {
	const tokens = u.input_uncached + u.cache_read + u.cache_write + u.output
	if (!tokens) return null
	return html`<p class="soft small ask-used">${t("web.ask.tokens", tokens)}${u.currency && u.cost_micros !== null ? " · " + micros(u.cost_micros, u.currency) : ""}</p>`
}
