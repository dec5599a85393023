// What waits for a nod.
import { html } from "../lib/html.js"
import { t } from "../lib/i18n.js"

export default function Inbox() {
	return html`<header><h1>${t("web.inbox")}</h1></header>`
}
