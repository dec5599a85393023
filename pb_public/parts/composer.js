// Where a question is written: words, files, what it is about, who is asked; send, or stop.
import { html, useEffect, useRef } from "../lib/html.js"
import { number, t } from "../lib/i18n.js"
import { online } from "../lib/store.js"
import { assistants, current, loadAssistants } from "../lib/assistants.js"
import { draft, files, running, say as ask, stop, trouble } from "../lib/talk.js"
import { Icon } from "./icon.js"
import { Chips } from "./ask_chips.js"
import { because } from "./state.js"
import { say } from "./toast.js"

const mostFiles = 4, mostBytes = 10e6

/** Takes files for the next question: at most four, 10 MB together, each with a name of its own. */
export function take(list) {
	const next = [...files.value]
	for (const file of list) {
		if (next.length >= mostFiles) return put(next, t("web.ask.files.many", mostFiles))
		if (next.reduce((sum, f) => sum + f.file.size, file.size) > mostBytes) return put(next, t("web.ask.files.large", file.name))
		next.push({ file, name: own(file.name || "file", next), show: true })
	}
	put(next)
}

function put(next, why) {
	files.value = next
	if (why) say(why, { bad: true })
}

// "a.csv" beside another becomes "a (2).csv".
function own(name, others) {
	const dot = name.lastIndexOf("."), [stem, ext] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""]
	for (let n = 1, now = name; ; now = `${stem} (${++n})${ext}`) if (!others.some((f) => f.name === now)) return now
}

/** Sends what is written, once the person agreed to where it goes. */
export async function submit(answers, text) {
	if (!assistants.value) await loadAssistants()
	const a = current.value
	if (a && !a.agreed) {
		const { consent } = await import("./consent.js")
		if (!(await consent(a))) return
		await loadAssistants()
	}
	if (answers) ask(text, answers)
	else if (draft.value.trim()) ask(draft.value.trim())
}

/** The box; focus puts the cursor into it when it is drawn. */
export function Composer({ focus }) {
	const box = useRef(), pick = useRef()
	const busy = running.value
	useEffect(() => void (focus && box.current.focus({ preventScroll: true })), [])
	useEffect(() => {
		if (CSS.supports("field-sizing", "content")) return
		box.current.style.height = "auto"
		box.current.style.height = Math.min(box.current.scrollHeight + 2, 240) + "px"
	}, [draft.value])
	// Keyboards of phones tell of a line break, not of a key; others of both.
	const held = useRef({})
	const key = (e) => {
		held.current = { shift: e.shiftKey, sent: false }
		if (e.key !== "Enter" || e.shiftKey || e.isComposing) return
		e.preventDefault()
		held.current.sent = true
		if (!busy) submit()
	}
	const line = (e) => {
		if ((e.inputType !== "insertLineBreak" && e.inputType !== "insertParagraph") || held.current.shift) return
		e.preventDefault()
		if (!busy && !held.current.sent) submit()
	}
	const halt = () => stop().catch((problem) => say(because(problem), { bad: true }))
	return html`<form class="composer" onSubmit=${(e) => (e.preventDefault(), busy ? halt() : submit(), box.current.focus())}>
		${trouble.value && html`<div class="note bad" role="alert"><p>${because(trouble.value)}</p></div>`}
		${!online.value && html`<p class="soft small" role="status">${t("web.ask.offline")}</p>`}
		<${Files} />
		<div class="ask-line">
			<textarea ref=${box} rows="1" dir="auto" aria-label=${t("web.ask.question")} placeholder=${t("web.ask.placeholder")} value=${draft.value} enterkeyhint="send"
				onInput=${(e) => ((draft.value = e.target.value), trouble.value && (trouble.value = null))} onKeyDown=${key} onbeforeinput=${line} onPaste=${(e) => e.clipboardData.files.length && (e.preventDefault(), take(e.clipboardData.files))}></textarea>
			<button type="button" class="quiet" onClick=${() => pick.current.click()}><${Icon} name="attach" /><span class="unseen">${t("web.ask.attach")}</span></button>
			<input type="file" ref=${pick} multiple hidden onChange=${(e) => (take(e.target.files), (e.target.value = ""))} />
			${busy ? html`<button class="main" disabled=${busy.value.stopping}><${Icon} name="stop" /><span class="unseen">${t("web.ask.stop")}</span></button>` : html`<button class="main" disabled=${!draft.value.trim()}><${Icon} name="send" /><span class="unseen">${t("web.ask.send")}</span></button>`}
		</div>
		<${Chips} />
	</form>`
}

// What goes along, and whether the assistant is shown it.
function Files() {
	if (!files.value.length) return null
	const set = (f, with_) => (files.value = with_ ? files.value.map((x) => (x === f ? { ...x, ...with_ } : x)) : files.value.filter((x) => x !== f))
	const a = current.value
	return html`<ul class="items ask-files" aria-label=${t("web.ask.files")}>${files.value.map((f) => html`<li key=${f.name} class="row">
		<span class="name" dir="auto">${f.name} <span class="soft small">${number(Math.max(1, Math.round(f.file.size / 1000)), { style: "unit", unit: "kilobyte" })}</span></span>
		<label class="tick small"><input type="checkbox" checked=${f.show} onChange=${(e) => set(f, { show: e.target.checked })} /><span>${t("web.ask.files.show")}<span class="unseen"> ${f.name}</span></span></label>
		<button type="button" class="quiet" onClick=${() => set(f)}><${Icon} name="close" /><span class="unseen">${t("web.ask.files.remove", f.name)}</span></button>
	</li>`)}</ul>
	<p class="soft small">${a && !a.local && !a.scripted ? t("web.ask.files.away", a.host) : t("web.ask.files.what")}</p>`
}
