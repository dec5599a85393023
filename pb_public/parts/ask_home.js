// The box on the first page: a question from there opens the panel with it.
import { html, useEffect, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { href } from "../lib/router.js"
import { ask, me } from "../lib/store.js"
import { assistants, current, loadAssistants } from "../lib/assistants.js"
import { Icon } from "./icon.js"
import { over } from "../lib/over.js"
import { warm } from "./ask_door.js"

/** The box, or one line for whoever has no assistant and can get one. */
export function AskHome() {
	const [text, put] = useState("")
	useEffect(() => void loadAssistants(), [])
	const all = assistants.value
	if (!all) return html`<div class="ask-home panel" aria-hidden="true"></div>`
	if (!all.items.length) {
		if (all.more.length) return html`<p class="soft row"><span>${t("web.ask.nobody.more")}</span><button onClick=${async () => over((await import("./ask_more.js")).More, { assistant: all.more[0] })}>${t("web.more.assistant", all.more[0].name)}</button></p>`
		return me.value.operator ? html`<p class="soft small">${t("web.ask.nobody.operator")} <a href=${href("/operator/assistants")}>${t("web.ask.nobody.setup")}</a></p>` : null
	}
	const send = (e) => {
		e.preventDefault()
		if (text.trim()) ask(text.trim(), { send: true })
		else ask()
		put("")
	}
	return html`<form class="ask-home panel" onSubmit=${send} role="search" aria-label=${t("web.ask")}>
		<div class="ask-line"><input value=${text} dir="auto" aria-label=${t("web.ask.question")} placeholder=${t("web.ask.placeholder")} enterkeyhint="send" autocomplete="off" onFocus=${warm} onInput=${(e) => put(e.target.value)} />
		<button class="main"><${Icon} name="send" /><span class="unseen">${t("web.ask.send")}</span></button></div>
		${current.value && html`<p class="soft small"><span dir="auto">${current.value.name}</span>${current.value.scripted && html` <span class="chip warn">${t("web.ask.scripted")}</span>`}</p>`}
	</form>`
}
