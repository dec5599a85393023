// What a file leaves open, and only a person can know.
import { html, t, useState } from "../../kit.js"

/** answer({id: choice}) is told once all are answered. */
export function Questions({ review, answer }) {
	const [picked, pick] = useState({})
	const open = review.questions.some((q) => !picked[q.id])
	const submit = (e) => (e.preventDefault(), !open && answer(picked))
	return html`<form class="panel" onSubmit=${submit}>
		<p>${t("household.web.import.open", review.questions.length)}</p>
		${review.questions.map((q) => html`<fieldset class="field" key=${q.id}>
			<legend dir="auto">${q.text.text}</legend>
			${q.choices.map((c) => html`<label class="tick" key=${c}><input type="radio" name=${q.id} value=${c} checked=${picked[q.id] === c} onChange=${() => pick({ ...picked, [q.id]: c })} /><span>${said(q, c)}</span></label>`)}
		</fieldset>`)}
		<div class="acts"><button class="main" disabled=${open}>${t("household.web.import.go_on")}</button></div>
	</form>`
}

// A choice in words, where the question has some for it.
function said(q, choice) {
	if (q.id === "sign") return t("household.web.import.sign." + choice)
	if (q.id === "decimal") return q.text.args[choice === "." ? 1 : 2]?.text || q.text.args[choice === "." ? 1 : 2] || choice
	return q.text.args.find((a) => a?.args?.includes?.(choice))?.text || choice
}
