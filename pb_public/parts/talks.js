// The conversations of the last half hour.
import { html } from "../lib/html.js"
import { get } from "../lib/api.js"
import { ago, t } from "../lib/i18n.js"
import { useData } from "../lib/data.js"
import { conversation, fresh, open } from "../lib/talk.js"
import { Sheet } from "./dialog.js"
import { Loaded } from "./state.js"

/** Shows them to choose one. */
export function Talks({ done }) {
	const talks = useData((o) => get("/conversations", {}, o))
	const go = (c) => (open(c).catch(() => {}), done())
	return html`<${Sheet} title=${t("web.ask.talks")} close=${() => done()} acts=${html`<button onClick=${() => (fresh(), done())}>${t("web.ask.new")}</button>`}>
		<p class="soft small">${t("web.ask.talks.what")}</p>
		<${Loaded} of=${talks}>${({ items }) => html`${!items.length && html`<p class="empty">${t("web.ask.talks.none")}</p>`}
			<ul class="items ask-talks">${items.map((c) => html`<li key=${c.id}><button class="quiet" aria-current=${c.id === conversation.value ? "true" : undefined} onClick=${() => go(c)}>
				<span dir="auto">${c.title || c.question || "…"}</span><span class="soft small">${c.running ? t("web.ask.talks.running") : ago(c.used)}</span>
			</button></li>`)}</ul>`}<//>
	<//>`
}
