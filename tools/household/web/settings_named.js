// Categories and payment methods: two nouns that are called, coloured, merged and deleted alike.
import { because, Endless, Field, html, Icon, read, say, t, Tick, tryAct, useState } from "../../kit.js"
import { ask } from "./ask.js"
import { pages } from "./money.js"

/** Shows all of a noun, category or payment_method, and what can be done with each. */
export function Named({ noun, collection }) {
	const tool = (verb) => "household_" + noun + "_" + verb
	const title = (verb) => t("household.title." + noun + "_" + verb)
	const add = () => ask({ title: title("add"), verb: t("household.web.add"), body: html`<${Fields} />`, request: (f) => ({ tool: tool("add"), args: given(f) }) })
	const edit = (n) => ask({ title: title("update"), body: html`<${Fields} of=${n} />`, request: (f) => ({ tool: tool("update"), args: { id: n.id, ...given(f, n) } }) })

	async function merge(n) {
		const found = await pages(tool("list"), {}, {}, 10).catch((problem) => void say(because(problem), { bad: true }))
		if (!found) return
		const all = found.items.filter((o) => o.id !== n.id)
		return ask({
			title: title("merge"), verb: t("household.web.merge"), options: { card: "always" },
			intro: t("household.web.merge.about", n.name),
			fields: [{ name: "into", label: t("household.web.merge.into"), kind: "choice", value: all[0]?.id, choices: all.map((o) => [o.id, o.name]) }],
			request: (v) => ({ tool: tool("merge"), args: { from: n.id, into: v.into } }),
		})
	}

	const row = (n) => html`<div class="noun">
		<span class="who"><span class="sign" style=${{ borderColor: n.color || undefined }} aria-hidden="true">${n.icon ? [...n.icon].slice(0, 8).join("") : ""}</span><span><span dir="auto">${n.name}</span><br /><span class="soft small">${t("household.web.used.by", n.count)}</span></span></span>
		<span class="acts">
			<button class="quiet" onClick=${() => edit(n)}>${t("household.web.edit")}<span class="unseen">: ${n.name}</span></button>
			<button class="quiet" onClick=${() => merge(n)}>${t("household.web.merge")}<span class="unseen">: ${n.name}</span></button>
			<button class="quiet" onClick=${() => tryAct({ tool: tool("delete"), args: { id: n.id } })}>${t("household.web.delete")}<span class="unseen">: ${n.name}</span></button>
		</span></div>`
	return html`<section class="panel"><header><h2>${title("list")}</h2><button onClick=${add}><${Icon} name="add" />${t("household.web.add")}</button></header>
		<${Endless} label=${title("list")} watch=${[collection, "household_subscriptions"]} empty=${t("household.web.named.none")} load=${(cursor, o) => read(tool("list"), { limit: 50, cursor }, o)} row=${row} /></section>`
}

// Without a tick there is no colour: a field for colours always has one.
function Fields({ of = {} }) {
	const [coloured, set] = useState(!!of.color)
	return html`<${Field} label=${t("household_categories.name")} name="name" required maxlength="200" dir="auto" defaultValue=${of.name || ""} autofocus />
		<${Field} label=${t("household_categories.icon")} name="icon" maxlength="16" dir="auto" defaultValue=${of.icon || ""} hint=${t("household.web.icon.hint")} />
		<${Tick} label=${t("household.web.coloured")} name="coloured" checked=${coloured} onChange=${(e) => set(e.target.checked)} />
		${coloured && html`<${Field} label=${t("household_categories.color")} name="color" type="color" defaultValue=${of.color || "#2563b8"} />`}`
}

// What was filled in; of one that there is, only what is another now.
function given(f, was) {
	const now = { name: f.get("name").trim(), icon: f.get("icon").trim(), color: f.get("coloured") ? f.get("color") : "" }
	if (!was) return Object.fromEntries(Object.entries(now).filter(([, v]) => v))
	const args = Object.fromEntries(Object.entries(now).filter(([n, v]) => v && v !== was[n]))
	const clear = ["icon", "color"].filter((n) => was[n] && !now[n])
	return clear.length ? { ...args, clear } : args
}
