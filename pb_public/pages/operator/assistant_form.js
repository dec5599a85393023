// Setting up an assistant, field by field. What the environment says stays as it is.
import { html, useState } from "../../lib/html.js"
import { get } from "../../lib/api.js"
import { t } from "../../lib/i18n.js"
import { act } from "../../parts/act.js"
import { Sheet } from "../../parts/dialog.js"
import { Choice, Field } from "../../parts/field.js"
import { Trouble } from "../../parts/state.js"

const fields = ["name", "protocol", "base_url", "model", "images", "effort", "max_effort", "mode", "price_input", "price_output", "price_cache_read", "price_cache_write"]
const choices = {
	protocol: [["", "protocol"], ["openai"], ["openai-responses"], ["anthropic"]],
	images: [["", "default"], ["yes", "images.yes"], ["no", "images.no"]],
	efforts: ["", "low", "medium", "high", "xhigh", "max"],
}

/** assistant is changed, or one is added, from a suggestion if there is one; taken are ids that there are. Done with how it is then. */
export function AssistantForm({ assistant, from, taken = [], done }) {
	const [was, know] = useState(assistant)
	const [f, set] = useState(() => ({ id: "", key: "", ...begin(assistant, from) }))
	const [state, say] = useState({})
	const put = (name) => (e) => set((f) => ({ ...f, [name]: e.target.value }))
	const locked = new Set(was?.locked)

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		const body = { id: was?.id || f.id.trim(), seen: was?.updated || "", ...changed(f, was) }
		try {
			const result = await act({ path: "/operator/assistants", body })
			if (result) return done(result.output)
			say({})
		} catch (problem) {
			if (problem.kind === "conflict" && was) await again()
			say({ problem })
		}
	}

	// Somebody else was faster: what they changed is shown, what was typed here stays.
	async function again() {
		try {
			const now = (await get("/operator/assistants", { limit: 200 })).items.find((a) => a.id === was.id)
			if (!now || now.updated === was.updated) return
			const typed = changed(f, was)
			set({ ...f, ...begin(now), ...typed })
			know(now)
		} catch {}
	}

	const field = (name, more = {}) => html`<${Locked} name=${name} was=${was} locked=${locked} ...${more} value=${f[name]} put=${put(name)} />`
	return html`<${Sheet} title=${was ? t("web.assistant.change", was.name || was.id) : t("web.assistant.add")} close=${() => done()}>
		<form class="stack" onSubmit=${submit}>
			${!was && html`<${Field} label=${t("web.assistant.id")} hint=${t("web.assistant.id.about")} required pattern="[a-z][a-z0-9\\-]*" autocomplete="off" autocapitalize="none" spellcheck=${false} value=${f.id} fault=${taken.includes(f.id.trim()) ? t("web.assistant.id.taken") : ""} onInput=${put("id")} />`}
			${field("name", { dir: "auto" })}
			${field("base_url", { type: "url", hint: t("web.assistant.address.about"), autocapitalize: "none" })}
			${field("model", { list: "models", autocapitalize: "none", spellcheck: false })}
			<datalist id="models">${(from?.models || []).map((m) => html`<option key=${m} value=${m} />`)}</datalist>
			${field("protocol", { options: choices.protocol.map(([v, key]) => [v, key ? t("web.assistant.protocol") : v]) })}
			${locked.has("key") ? html`<${Fixed} name="key" was=${was} said=${was.key ? t("web.assistant.key") : t("web.assistant.no_key")} />`
			: html`<${Field} label=${label("key")} type="password" autocomplete="new-password" value=${f.key} placeholder=${was?.key ? t("web.assistant.key") : ""} hint=${was?.key ? t("web.assistant.key.stays") : t("web.assistant.key.about")} onInput=${put("key")} />`}
			${field("mode", { options: ["", "read", "ask", "write", "trusted"].map((v) => [v, v ? t("web.token.mode." + v) : t("web.assistant.default")]), hint: f.mode ? t("nodkeep.card.token_mode." + f.mode) : "" })}
			<details open=${!!from?.open}><summary>${t("web.assistant.details")}</summary><div class="stack">
				${field("effort", { options: choices.efforts.map((v) => [v, v ? t("web.effort." + v) : t("web.assistant.default")]) })}
				${field("max_effort", { options: choices.efforts.map((v) => [v, v ? t("web.effort." + v) : t("web.assistant.default")]) })}
				${field("images", { options: choices.images.map(([v, key]) => [v, t("web.assistant." + key)]) })}
				<p class="soft small">${t("web.price.about")}</p>
				${fields.filter((n) => n.startsWith("price_")).map((n) => field(n, { inputmode: "decimal", pattern: "[0-9]{1,9}([.,][0-9]{1,6})?", key: n }))}
			</div></details>
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy || (was && !Object.keys(changed(f, was)).length)}>${t("web.save")}</button></div>
		</form>
	<//>`
}

function Locked({ name, was, locked, options, value, put, ...more }) {
	if (locked.has(name)) return html`<${Fixed} name=${name} was=${was} said=${options?.find(([v]) => v === value)?.[1] || value} />`
	if (options) return html`<${Choice} label=${label(name)} value=${value} choices=${options} onChange=${put} ...${more} />`
	return html`<${Field} label=${label(name)} value=${value} autocomplete="off" onInput=${put} ...${more} />`
}

// What only the environment changes, and by which name.
const Fixed = ({ name, was, said }) =>
	html`<${Field} label=${label(name)} hint=${t("web.assistant.locked", "ASSISTANT_" + (was.id.replaceAll("-", "_") + "_" + name).toUpperCase())} value=${said || "–"} autocomplete="off" disabled />`

const begin = (a, from) => Object.fromEntries(fields.map((n) => [n, a ? a[n] || "" : (n === "base_url" && from?.base_url) || (n === "protocol" && from?.protocol) || (n === "name" && from?.name) || (n === "model" && from?.models?.[0]) || ""]))

// Only what is another than it was is said: the rest stays whoever changes it.
function changed(f, was) {
	const out = {}
	for (const n of fields) {
		const v = n.startsWith("price_") ? f[n].trim().replace(",", ".") : f[n].trim()
		if (was ? v !== (was[n] || "") && !was.locked.includes(n) : v !== "") out[n] = v
	}
	if (f.key) out.key = f.key
	return out
}


/** What a field of an assistant is called. */
export const label = (field) => (field === "key" ? t("web.assistant.the_key") : t("nodkeep_assistants." + field))
