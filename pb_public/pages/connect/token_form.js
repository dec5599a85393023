// What a token may do, each in one sentence.
import { html, useId, useState } from "../../lib/html.js"
import { act } from "../../parts/act.js"
import { Choice, Field, Tick } from "../../parts/field.js"
import { t } from "../../lib/i18n.js"
import { Trouble } from "../../parts/state.js"

/** Makes a token, or changes the one that is given. done(token) is told of it, with its secret where it is new. */
export function TokenForm({ token, plugins, done, cancel }) {
	const [f, set] = useState(() => start(token))
	const [state, say] = useState({})
	const put = (name) => (e) => set((f) => ({ ...f, [name]: e.target.type === "checkbox" ? e.target.checked : e.target.value }))

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const result = await act({ path: token ? "/tokens/" + token.id : "/tokens", body: body(f, token) }, { quiet: !token })
			if (result) return done(result.output)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	const all = new Set(f.plugins)
	return html`<form class="stack" onSubmit=${submit}>
		<${Field} label=${t("nodkeep_tokens.name")} hint=${t("web.token.name.about")} value=${f.name} maxlength="80" required onInput=${put("name")} dir="auto" />
		<${Radios} legend=${t("web.token.mode")} value=${f.mode} change=${put("mode")} choices=${["read", "ask", "write", "trusted"].map((m) => [m, t("web.token.mode." + m), t("nodkeep.card.token_mode." + m)])} />
		<${Radios} legend=${t("nodkeep_tokens.tools")} value=${f.tools} change=${put("tools")} choices=${["core", "all"].map((m) => [m, t("web.token.tools." + m), t("web.token.tools.about." + m)])} />
		<${Until} value=${f.until} day=${f.day} change=${(v) => set((f) => ({ ...f, ...v }))} now=${token} />
		<details>
			<summary>${t("web.token.bounds")}</summary>
			<div class="stack">
				<${Field} label=${t("nodkeep_tokens.daily_writes")} hint=${t("web.token.writes.about")} type="number" min="1" max="10000" step="1" inputmode="numeric" required value=${f.daily_writes} onInput=${put("daily_writes")} />
				<div><${Tick} label=${t("web.token.own")} checked=${f.own_surfaces} onChange=${put("own_surfaces")} /><p class="soft small">${t("web.token.own.about")}</p></div>
				${plugins.length > 0 && html`<fieldset><legend><b>${t("nodkeep_tokens.plugins")}</b></legend><p class="soft small">${t("web.token.plugins.about")}</p>
					${plugins.map((p) => html`<${Tick} key=${p} label=${p} checked=${all.has(p)} onChange=${(e) => set((f) => ({ ...f, plugins: e.target.checked ? [...f.plugins, p] : f.plugins.filter((x) => x !== p) }))} />`)}
				</fieldset>`}
			</div>
		</details>
		${state.problem && html`<${Trouble} problem=${state.problem} />`}
		<div class="acts end">
			<button type="button" onClick=${cancel}>${t("web.cancel")}</button>
			<button class="main" disabled=${state.busy}>${token ? t("web.save") : t("web.token.make")}</button>
		</div>
	</form>`
}

/** Until when: a number of days, a day, or for ever; of a token that there is, also as it is. */
export function Until({ value, day, change, now }) {
	const choices = [["90d", t("web.token.days", 90)], ["7d", t("web.token.days", 7)], ["30d", t("web.token.days", 30)], ["365d", t("web.token.days", 365)], ["day", t("web.token.day")], ["", t("web.token.never")]]
	if (now) choices.unshift(["as", t("web.token.as_is")])
	return html`<${Choice} label=${t("nodkeep_tokens.expires")} hint=${t("web.token.expires.about")} value=${value} choices=${choices} onChange=${(e) => change({ until: e.target.value })} />
		${value === "day" && html`<${Field} label=${t("web.token.last_day")} type="date" required value=${day} onInput=${(e) => change({ day: e.target.value })} />`}`
}

/** What is sent as expires; undefined leaves it. */
export const expires = ({ until, day }) => (until === "as" ? undefined : until === "day" ? day : until)

function Radios({ legend, value, choices, change }) {
	const name = useId()
	return html`<fieldset class="radios"><legend><b>${legend}</b></legend>
		${choices.map(([v, label, about]) => html`<label key=${v} class="tick"><input type="radio" name=${name} value=${v} checked=${v === value} onChange=${change} /><span><b>${label}</b><br /><span class="soft small">${about}</span></span></label>`)}
	</fieldset>`
}

const start = (x) =>
	x
		? { name: x.name, mode: x.mode, tools: x.tools, plugins: x.plugins, own_surfaces: x.own_surfaces, daily_writes: String(x.daily_writes), until: "as", day: "" }
		: { name: "", mode: "ask", tools: "core", plugins: [], own_surfaces: false, daily_writes: "50", until: "90d", day: "" }

function body(f, was) {
	const all = { name: f.name, mode: f.mode, tools: f.tools, plugins: f.plugins, own_surfaces: f.own_surfaces, daily_writes: Number(f.daily_writes), expires: expires(f) }
	if (!was) return all
	return Object.fromEntries(Object.entries(all).filter(([name, v]) => v !== undefined && JSON.stringify(v) !== JSON.stringify(was[name])))
}
