// Changing one setting; what another operator said meanwhile is never overwritten unseen.
import { html, useState } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { number, t } from "../../lib/i18n.js"
import { act } from "../../parts/act.js"
import { Sheet } from "../../parts/dialog.js"
import { Choice, Field } from "../../parts/field.js"
import { Trouble } from "../../parts/state.js"

/** Asks for another value of a setting, over the page. */
export function EditSetting({ setting, currency, done }) {
	const [seen, see] = useState(setting)
	const [value, type] = useState(setting.from === "operator" ? setting.value : "")
	const [state, say] = useState({})
	const title = t("web.setting." + setting.name.toLowerCase())

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const result = await act({ path: "/operator/settings", body: { name: setting.name, value, seen: seen.updated || "" } }, { done: t("web.setting.saved", title) })
			if (result) return done(true)
			say({})
		} catch (problem) {
			say({ problem })
			if (problem.kind === "conflict") await look()
		}
	}

	// What stands now has been said to the person, who may save over it then.
	async function look() {
		try {
			const now = (await list("/operator/settings", { limit: 200 })).items.find((s) => s.name === setting.name)
			if (now) see(now)
		} catch {} // saving says it again
	}

	const label = t("web.setting.new")
	return html`<${Sheet} title=${title} close=${() => done()} acts=${html`<button onClick=${() => done()}>${t("web.cancel")}</button><button class="main" form="op-setting" disabled=${state.busy}>${t("web.setting.save")}</button>`}>
		<form id="op-setting" class="stack" onSubmit=${submit}>
			<p>${t("web.setting.about." + setting.name.toLowerCase())}</p>
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			${seen !== setting && html`<p class="note warn">${t("web.setting.again")}</p>`}
			${setting.choices.length
				? html`<${Choice} label=${label} value=${value} onChange=${(e) => type(e.target.value)} choices=${[["", t("web.setting.default")], ...setting.choices.map((c) => [c, t("web.setting.value." + c)])]} />`
				: html`<${Field} label=${label} hint=${hint(setting, currency)} value=${value} inputmode=${setting.amount ? "decimal" : "numeric"} autocomplete="off" autofocus onInput=${(e) => type(e.target.value)} />`}
		</form>
	<//>`
}

const hint = (s, currency) => (s.amount ? t("web.setting.amount", currency) : t("web.setting.range", number(s.least), number(s.most)))
