// A word on any page about what an agent has just asked for: it comes by itself, and takes nothing away.
import { effect, html, render, signal } from "../lib/html.js"
import { css } from "../lib/css.js"
import { get } from "../lib/api.js"
import { over } from "../lib/over.js"
import { href, route } from "../lib/router.js"
import { isShown } from "../lib/waiting.js"
import { t } from "../lib/i18n.js"
import { me } from "../lib/store.js"
import { agentName } from "./asker.js"
import { Icon } from "./icon.js"
import { Proposal } from "./proposal.js"
import { Said } from "./said.js"
import { Sheet } from "./dialog.js"

await css("card")

const news = signal([]) // what is told, newest last
const drop = (id) => (news.value = news.value.filter((p) => p.id !== id))

// It must be there before something comes into it, for readers of screens to say it.
const host = document.createElement("div")
host.className = "news"
host.setAttribute("role", "status")
document.body.append(host)
render(html`<${News} />`, host)
effect(() => {
	if (!me.value) news.value = []
	if (news.value.some((p) => isShown(p.id))) news.value = news.value.filter((p) => !isShown(p.id)) // it would lie over the card itself
})

/** Tells of what the server says happened to a proposal: {id, state}. */
export async function told({ id, state }) {
	if (state !== "pending") return drop(id)
	if (isShown(id) || route.peek().path === "/inbox") return // the inbox says so itself
	const p = await get("/proposals/" + id)
	if (p.actor.door === "assistant") await new Promise((done) => setTimeout(done, 1500)) // where somebody asks, its card is there by then
	if (p.state === "pending" && !isShown(id) && !news.value.some((n) => n.id === id)) news.value = [...news.value, p]
}

function News() {
	const [p] = news.value.slice(-1)
	const more = news.value.length - 1
	if (!p || route.value.path.startsWith("/inbox")) return null // the inbox says so itself
	const look = () => (drop(p.id), over(OneCard, { proposal: p }))
	return html`<div class="new" key=${p.id}>
		<p class="small"><b dir="auto">${t("web.news.asks", agentName(p))}</b></p>
		<p class="title"><${Said} text=${p.card.title.text} /></p>
		${(p.card.grave || p.items.some((i) => i.money)) && html`<p class="acts small">${p.card.grave && html`<span class="chip bad"><${Icon} name="warn" />${t("nod.list.grave")}</span>`}${p.items.some((i) => i.money) && html`<span class="chip warn"><${Icon} name="coin" />${t("web.card.money")}</span>`}</p>`}
		<div class="acts">
			<button class="main" onClick=${look}>${t("web.news.look")}</button>
			<button onClick=${() => (news.value = [])}>${t("web.news.later")}</button>
			${more > 0 && html`<a href=${href("/inbox")} onClick=${() => (news.value = [])}>${t("nod.next", more)}</a>`}
		</div>
	</div>`
}

/** A card over the page, so that what one was at stays. */
function OneCard({ proposal, id, done }) {
	return html`<${Sheet} title=${proposal ? t("web.news.asks", agentName(proposal)) : t("web.inbox")} class="nodding" close=${() => done()}>
		<${Proposal} proposal=${proposal} id=${id} level=${3} focus />
	<//>`
}
