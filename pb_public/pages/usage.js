// What one asks of assistants: how much that was, and what one agreed to.
import { html } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import Assistants from "./own/assistants.js"
import Limits from "./own/limits.js"
import Requests from "./own/requests.js"
import Spent from "./own/spent.js"

export default function Usage() {
	return html`<header><h1>${t("web.usage")}</h1></header><${Spent} /><${Assistants} /><${Limits} /><${Requests} />`
}
