// Which assistants one may ask, what goes where, and whether one agreed to that.
import { html } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { useData } from "../../lib/data.js"
import { over } from "../../lib/over.js"
import { dated, moment, t } from "../../lib/i18n.js"
import { tryAct } from "../../parts/act.js"
import { consent } from "../../parts/consent.js"
import { Loaded } from "../../parts/state.js"
import { More } from "../../parts/ask_more.js"
import { turned, useTurn } from "./turn.js"

/** The section of assistants. */
export default function Assistants() {
	const own = useTurn(useData((o) => list("/me/assistants", { limit: 200 }, o)))
	const agree = async (a) => (await consent(a)) && turned()
	const withdraw = async (a) => (await tryAct({ method: "DELETE", path: "/me/consents/" + a.id })) && turned()
	const ask = async (a) => (await over(More, { assistant: a })) && turned()
	return html`<section class="panel" aria-labelledby="own-assistants">
		<h2 id="own-assistants">${t("web.assistants")}</h2>
		<${Loaded} of=${own}>${(page) => html`
			${page.items.length ? html`<ul class="items">${page.items.map((a) => html`<li key=${a.id} class="stack">
				<${About} a=${a} />
				<p class="small">${a.goes.text}</p>
				${!a.scripted && html`<div class="acts">
					${a.agreed ? html`<span class="chip good">${a.since ? t("web.consent.since", moment(a.since, dated)) : t("web.consent.given")}</span><button onClick=${() => withdraw(a)}>${t("web.consent.withdraw")}<span class="unseen">: ${a.name}</span></button>`
					: html`<span class="chip warn">${t("web.consent.missing")}</span><button class="main" onClick=${() => agree(a)}>${t("web.consent.look")}<span class="unseen">: ${a.name}</span></button>`}
				</div>`}
			</li>`)}</ul>` : html`<p class="empty">${t("web.assistants.none")}</p>`}
			${page.more.length > 0 && html`<h3>${t("web.assistants.more")}</h3>
				<ul class="items">${page.more.map((a) => html`<li key=${a.id} class="row"><${About} a=${a} /><button onClick=${() => ask(a)}>${t("web.more.ask")}<span class="unseen">: ${a.name}</span></button></li>`)}</ul>`}
		`}<//>
	</section>`
}

const About = ({ a }) => html`<div class="row"><span><b dir="auto">${a.name}</b> <span class="soft">${a.scripted ? "" : a.model}</span></span>
	<span class=${a.local ? "chip good" : "chip"}>${a.scripted ? t("web.assistant.script") : a.local ? t("web.assistant.local") : a.host}</span></div>`
