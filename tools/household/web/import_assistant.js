// What is no table can be shown to an assistant: only when it is named, and then that one alone.
import { consent, html, list, t, Trouble, useData, useState } from "../../kit.js"

// What a person may do about a file that cannot be read here.
const ways = ["reader.refused", "reader.no_table", "reader.column_missing", "reader.no_transactions", "document.no_images", "document.no_pdf", "document.nothing", "document.refused"]

/** Whether an assistant could read what the reader cannot: what is locked or too long none can. */
export const couldHelp = (problem) => ways.includes(problem.data?.text?.key)

/** Asks which one, says what goes where, and show(id) is told. */
export function Assistants({ work, show }) {
	const all = useData((o) => list("/me/assistants", {}, o))
	const mine = (all.data?.items || []).filter((a) => a.granted)
	const [picked, pick] = useState("")
	const one = mine.find((a) => a.id === picked) || (mine.length === 1 ? mine[0] : null)

	async function go() {
		if (one.agreed || one.local || one.scripted || (await consent(one))) show(one.id)
	}

	if (all.problem) return html`<${Trouble} problem=${all.problem} retry=${all.reload} />`
	if (!all.data) return null
	return html`<section class="panel">
		<h2>${t("household.web.import.assistant")}</h2>
		${!mine.length && html`<p class="soft">${t("household.web.import.assistant.none")}</p>`}
		${mine.length > 1 && mine.map((a) => html`<label class="tick" key=${a.id}><input type="radio" name="assistant" checked=${picked === a.id} onChange=${() => pick(a.id)} /><span dir="auto">${a.name} <span class="soft">${a.model}</span></span></label>`)}
		${one && html`
			<p class=${one.local || one.scripted ? "note good" : "note warn"}>${one.local || one.scripted ? t("web.consent.local") : t("web.consent.host", one.host)}</p>
			<p class="soft">${t("household.web.import.assistant.what")}</p>
			<div class="acts"><button class="main" onClick=${go}>${t("household.web.import.assistant.show", work.file.name, one.name)}</button></div>`}
	</section>`
}
