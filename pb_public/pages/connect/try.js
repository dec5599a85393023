// Connects with a token as a client does, and says what such a client sees.
import { html, useState } from "../../lib/html.js"
import { post } from "../../lib/api.js"
import { t } from "../../lib/i18n.js"
import { Field } from "../../parts/field.js"
import { Trouble } from "../../parts/state.js"

/** secret is that of a token that was just made; after() is told when a try has ended. */
export function Try({ secret = "", after }) {
	const [state, set] = useState({})

	async function submit(e) {
		e.preventDefault()
		const token = new FormData(e.target).get("token").trim()
		set({ busy: true })
		try {
			set({ seen: await post("/connect/test", { token }) })
			after?.()
		} catch (problem) {
			set({ problem })
		}
	}

	return html`<p class="soft">${t("web.try.about")}</p>
		<form class="inline" onSubmit=${submit}>
			<${Field} label=${t("web.token.the_secret")} name="token" type="password" required value=${secret} autocomplete="off" spellcheck=${false} />
			<button disabled=${state.busy}>${state.busy ? t("web.try.busy") : t("web.try")}</button>
		</form>
		<div role="status" class="stack">
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			${state.seen && html`<${Seen} seen=${state.seen} />`}
		</div>`
}

function Seen({ seen }) {
	if (!seen.ok) return html`<p class="note bad">${seen.problem?.text || t("web.trouble")}</p>`
	return html`<p class="note good"><b>${t("web.try.ok")}</b></p>
		<ul>${(seen.says || []).map((s, i) => html`<li key=${i} dir="auto">${s}</li>`)}</ul>
		<p class="soft small">${(seen.protocols || []).map((p) => t("web.try.protocol", p.protocol, p.server)).join(" · ")}</p>
		<details><summary>${t("web.try.tools", seen.tools.length)}</summary>
			<table><thead><tr><th scope="col">${t("web.try.tool")}</th><th scope="col">${t("web.try.asks")}</th></tr></thead>
				<tbody>${seen.tools.map((x) => html`<tr key=${x.name}><td>${x.title || x.name}<br /><code class="soft small">${x.name}</code></td><td>${t("web.try.asks." + (x.asks || "never"))}</td></tr>`)}</tbody>
			</table>
		</details>`
}
