// The models that are set up, by whose they are.
import { html } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { css } from "../../lib/css.js"
import { useData } from "../../lib/data.js"
import { every } from "../../lib/every.js"
import { day, t } from "../../lib/i18n.js"
import { fine } from "../../lib/micros.js"
import { over } from "../../lib/over.js"
import { href } from "../../lib/router.js"
import { tryAct } from "../../parts/act.js"
import { Icon } from "../../parts/icon.js"
import { Loaded } from "../../parts/state.js"
import { AssistantForm, label } from "./assistant_form.js"
import { Head } from "./head.js"
import { Trial } from "./trial.js"

await css("assistants")

export default function Assistants() {
	const all = useData(async (o) => {
		const [assistants, grants] = await Promise.all([list("/operator/assistants", { limit: 200 }, o), every("/operator/grants", {}, o)])
		return { items: assistants.items, grants: grants.items }
	})
	const hosts = useData((o) => list("/operator/assistants/suggestions", {}, o))
	const add = async (from) => (await over(AssistantForm, { from, taken: all.data.items.map((a) => a.id) })) && all.reload()
	const free = (hosts.data?.items || []).filter((h) => !h.used)
	return html`<${Head} title=${t("web.assistants")}><button class="main" disabled=${!all.data} onClick=${() => add()}><${Icon} name="add" />${t("web.assistant.add")}</button><//>
		<${Loaded} of=${all}>${({ items, grants }) => html`
			${!items.length && html`<p class="empty panel">${t("web.assistant.none")}</p>`}
			${grouped(items, hosts.data?.items || []).map((g) => html`<section class="panel provider" key=${g.name} style=${{ "--hue": hue(g.name) }} aria-label=${g.name}>
				<h2><span class="dot" aria-hidden="true"></span><span class="capital">${g.name}</span></h2>
				<ul class="items">${g.items.map((a) => html`<li key=${a.id}><${One} a=${a} grants=${grants.filter((x) => x.assistant === a.id)} reload=${all.reload} /></li>`)}</ul>
			</section>`)}
			${free.length > 0 && html`<section class="panel" aria-labelledby="op-hosts"><h2 id="op-hosts">${t("web.assistant.suggested")}</h2>
				<ul class="items">${free.map((h) => html`<li key=${h.base_url} class="row"><span><b>${h.name}</b> <span class="soft small">${h.host}</span>${h.models.length > 0 && html`<br /><span class="soft small">${h.models.slice(0, 6).join(" · ")}</span>`}</span>
					<span class="acts">${h.local && html`<span class="chip good">${t("web.assistant.local")}</span>`}<button onClick=${() => add(h)}>${t("web.assistant.use")}<span class="unseen">: ${h.name}</span></button></span></li>`)}</ul></section>`}
		`}<//>`
}

function One({ a, grants, reload }) {
	const fixed = a.locked.length > 0
	const edit = async () => (await over(AssistantForm, { assistant: a })) && reload()
	const remove = async () => (await tryAct({ path: `/operator/assistants/${a.id}/remove` })) && reload()
	return html`<article class="stack" aria-label=${a.name || a.id}>
		<div class="row"><span><b dir="auto">${a.name || a.id}</b> <code class="soft small">${a.id}</code></span>
			<span class="acts">
				<span class=${a.local ? "chip good" : "chip"}>${a.local ? t("web.assistant.local") : a.host}</span>
				<span class="chip">${t("nodkeep.mode." + (a.mode || "ask"))}</span>
				${a.effort && html`<span class="chip">${t("nodkeep_assistants.effort")}: ${t("web.effort." + a.effort)}</span>`}
				${(a.key || !a.local) && html`<span class=${a.key ? "chip good" : "chip warn"}>${a.key ? t("web.assistant.key") : t("web.assistant.no_key")}</span>`}
				${fixed && html`<span class="chip"><${Icon} name="lock" />${t("web.assistant.environment")}</span>`}
			</span></div>
		<p class="small"><code>${a.model || "–"}</code></p>
		<p class="soft small">${prices(a.prices)}</p>
		${a.lacks.length > 0 && html`<p class="note warn">${t("web.assistant.lacks", a.lacks.map(label).join(", "))}</p>`}
		<p class="small"><a href=${href("/operator/grants", { assistant: a.id })}>${grants.some((g) => g.everybody) ? t("web.assistant.everybody") : t("web.assistant.people", grants.length)}</a></p>
		<div class="acts">
			<button onClick=${edit}>${t("web.edit")}<span class="unseen">: ${a.name || a.id}</span></button>
			<${Trial} id=${a.id} name=${a.name || a.id} />
			${a.updated && html`<button class="grave" onClick=${remove}>${t("web.remove")}<span class="unseen">: ${a.name || a.id}</span></button>`}
		</div>
	</article>`
}
function prices(p) {
	if (!p || p.from === "unknown") return t("web.price.unknown")
	const said = t("web.price.is", fine(p.input, p.currency), fine(p.output, p.currency))
	const from = p.from === "table" ? t("web.price.table", p.source.replace(/^https?:\/\//, "").split("/")[0], day(p.checked)) : t("web.price." + p.from)
	return said + " · " + from
}

// By the host's own name where it is known, else by the host; this machine first.
function grouped(items, hosts) {
	const groups = new Map()
	for (const a of items) {
		const name = a.protocol === "script" ? t("web.assistant.script") : a.local ? t("web.assistant.this_machine") : hosts.find((h) => h.host === a.host)?.name || a.host || t("web.assistant.nowhere")
		if (!groups.has(name)) groups.set(name, { name, local: a.local, items: [] })
		groups.get(name).items.push(a)
	}
	return [...groups.values()].sort((a, b) => b.local - a.local || a.name.localeCompare(b.name))
}

// A colour of its own for each name, the same every day.
const hue = (name) => [...name].reduce((n, c) => (n * 31 + c.codePointAt(0)) % 360, 7)
