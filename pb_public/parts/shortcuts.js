// The keys that work everywhere, for who uses no mouse.
import { html } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Sheet } from "./dialog.js"

export function Keys({ done, withCtrl }) {
	const rows = [
		[withCtrl("K"), t("web.keys.palette")],
		[withCtrl("/"), t("web.keys.these")],
		["↑ ↓ ↵", t("web.keys.choose")],
		["Esc", t("web.keys.close")],
		["Tab", t("web.keys.tab")],
	]
	return html`<${Sheet} title=${t("web.keys")} close=${() => done()}>
		<table><tbody>${rows.map(([key, what]) => html`<tr key=${key}><th scope="row"><kbd>${key}</kbd></th><td>${what}</td></tr>`)}</tbody></table>
	<//>`
}
