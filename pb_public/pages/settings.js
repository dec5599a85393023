// What one settles for oneself. Each section is a module of its own with a default component.
import { html, useEffect, useState } from "../lib/html.js"
import { css } from "../lib/css.js"
import { t } from "../lib/i18n.js"
import { Trouble } from "../parts/state.js"
await css("settings")

const sections = [() => import("./settings/look.js"), () => import("./settings/account.js"), () => import("./settings/password.js"), () => import("./own/brief.js"), () => import("./settings/take.js"), () => import("./settings/leave.js")]

export default function Settings() {
	const [modules, set] = useState([])
	const [failed, fail] = useState(false)
	useEffect(() => void Promise.all(sections.map((load) => load())).then(set, () => fail(true)), [])
	return html`<header><h1>${t("web.settings")}</h1></header>
		${failed && html`<${Trouble} problem=${{ kind: "offline" }} retry=${() => location.reload()} />`}
		<div class="settings">${modules.map((m, i) => html`<${m.default} key=${i} />`)}</div>`
}
