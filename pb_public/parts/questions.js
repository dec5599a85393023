// Questions that an assistant asks back. They decide nothing: the answers are words of the next question.
import { html, useId, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"

/** Shows a form: to be answered, or with what was answered. answer({id: text}) is told once it is sent. */
export function Questions({ form, answers, open, answer }) {
	const [said, set] = useState({})
	if (!open) return html`<div class="ask-questions done panel"><dl>${form.questions.map((q) => html`<div key=${q.id}><dt dir="auto">${q.text}</dt><dd dir="auto">${answers?.[q.id] || html`<span class="soft">${t("web.ask.form.open")}</span>`}</dd></div>`)}</dl></div>`
	const given = Object.fromEntries(Object.entries(said).filter(([, v]) => v.trim()))
	const send = (e) => {
		e.preventDefault()
		if (Object.keys(given).length) answer(given)
	}
	return html`<form class="ask-questions panel" onSubmit=${send} aria-label=${t("web.ask.form")}>
		${form.questions.map((q) => html`<${Question} key=${q.id} q=${q} value=${said[q.id] || ""} put=${(v) => set((s) => ({ ...s, [q.id]: v }))} />`)}
		<div class="acts"><button class="main" disabled=${!Object.keys(given).length}>${t("web.ask.form.send")}</button></div>
	</form>`
}

function Question({ q, value, put }) {
	const id = useId()
	const other = q.choices?.length > 0
	const own = other && !q.choices.includes(value) ? value : ""
	if (!other) return html`<div class="field"><label for=${id} dir="auto">${q.text}</label><input id=${id} value=${value} dir="auto" maxlength="500" onInput=${(e) => put(e.target.value)} /></div>`
	return html`<fieldset class="field">
		<legend dir="auto">${q.text}</legend>
		<div class="acts ask-choices">${q.choices.map((c) => html`<label class="chip" key=${c}><input type="radio" name=${id} value=${c} checked=${value === c} onChange=${() => put(c)} /><span dir="auto">${c}</span></label>`)}</div>
		<input value=${own} dir="auto" maxlength="500" aria-label=${t("web.ask.form.own", q.text)} placeholder=${t("web.ask.form.other")} onInput=${(e) => put(e.target.value)} />
	</fieldset>`
}
