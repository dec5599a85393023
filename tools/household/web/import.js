// A bank's statement becomes subscriptions: the file, its questions, its rows, one card.
import { css, html, Icon, me, signal, t, Trouble, upload, useEffect, useRef } from "../../kit.js"
import { Assistants, couldHelp } from "./import_assistant.js"
import { Choose } from "./import_choose.js"
import { Done } from "./import_done.js"
import { keep, recall } from "./import_keep.js"
import { Questions } from "./import_question.js"
import { Review } from "./import_review.js"

await css(new URL("./import.css", import.meta.url))

// What is under way stays when somebody looks at another page meanwhile, or loads it anew. It is one person's.
const work = signal(me.value ? recall(me.value.id) : {})
let lost = false // were the page loaded anew

work.subscribe((w) => (lost = !keep(w)))
// What cannot be kept is asked about before one leaves; whoever signs out has no address any more, and has left it.
addEventListener("beforeunload", (e) => lost && location.hash && e.preventDefault())
const mine = () => (work.value.person === me.value.id ? work.value : {})
const put = (change) => (work.value = { ...mine(), ...change, person: me.value.id })

export default function Import() {
	const w = mine()
	const head = useRef()
	const step = w.done ? "done" : w.review ? (w.review.questions.length ? "questions" : "review") : "choose"
	const before = useRef(step)
	useEffect(() => {
		if (step !== before.current) head.current?.focus()
		before.current = step
	}, [step])
	const anew = () => (w.abort?.abort(), (work.value = {}))

	return html`<header><h1 ref=${head} tabindex="-1">${t("household.web.import")}</h1>${step !== "choose" && html`<button class="quiet" onClick=${anew}>${t("household.web.import.another")}</button>`}</header>
		${step === "done" ? html`<${Done} result=${w.done} anew=${anew} />` : w.busy ? html`<${Busy} work=${w} />` : html`
			${w.problem && html`<${Trouble} problem=${w.problem} retry=${again(w.problem) && (() => look())} />
				${couldHelp(w.problem) && html`<${Assistants} work=${w} show=${(assistant) => look({ assistant })} />`}`}
			${step === "choose" && html`<${Choose} text=${w.text} put=${put} take=${(file) => look({ file, answers: {}, assistant: "", review: null })} />`}
			${step === "questions" && html`<${Questions} key=${w.review.questions.map((q) => q.id).join()} review=${w.review} answer=${(a) => look({ answers: { ...w.answers, ...a } })} />`}
			${step === "review" && html`<${Review} work=${w} put=${put} />`}
		`}`
}

// A file that was refused is refused again; what was in the way of it may be gone.
const again = (problem) => ["offline", "unavailable", "limit", "internal"].includes(problem.kind)

// Sends the file, with what was answered. It stays in memory, so that nobody chooses it twice.
async function look(change = {}) {
	put(change)
	const { file, answers, assistant, abort } = work.value
	abort?.abort()
	const own = new AbortController()
	const form = new FormData()
	form.append("file", file, file.name)
	if (answers && Object.keys(answers).length) form.append("answers", JSON.stringify(answers))
	if (assistant) form.append("assistant", assistant)
	put({ busy: true, sent: 0, problem: null, abort: own })
	try {
		if (file.size > most) throw { kind: "too_large", message: t("reader.too_large", 64) }
		const review = await upload("/import", form, { signal: own.signal, progress: (sent) => work.value.abort === own && put({ sent }) })
		if (work.value.abort === own) put({ busy: false, review, chosen: null, edits: {} })
	} catch (problem) {
		if (work.value.abort !== own) return
		put({ busy: false, problem: problem.name === "AbortError" ? null : problem })
	}
}

const most = 64 << 20

function Busy({ work: w }) {
	const out = w.sent < 1
	return html`<section class="panel import-busy" aria-live="polite">
		<p><b dir="auto">${w.file.name}</b></p>
		<p>${out ? t("household.web.import.sending") : w.assistant ? t("household.web.import.asking") : t("household.web.import.reading")}</p>
		<progress aria-label=${t("household.web.import.progress")} max="1" value=${out ? w.sent : undefined}></progress>
		<div class="acts"><button onClick=${() => w.abort.abort()}><${Icon} name="stop" />${t("web.cancel")}</button></div>
	</section>`
}
