// What stands above the pages about models: which there are, who may ask them, what that cost.
import { html } from "../../lib/html.js"
import { href, route } from "../../lib/router.js"
import { t } from "../../lib/i18n.js"
import { Icon } from "../../parts/icon.js"

const tabs = [
	["/operator/assistants", "assistants"],
	["/operator/access", "access"],
	["/operator/requests", "requests"],
	["/operator/figures", "figures"],
]

/** The title of such a page, with the ways to the others; open is how many requests wait. */
export function Head({ title, children }) {
	return html`<header><div><a class="soft small" href="#/operator"><${Icon} name="back" /> ${t("web.operator.back")}</a><h1>${title}</h1></div>${children}</header>
		<nav class="tabs" aria-label=${t("web.operator.models")}>${tabs.map(([path, name]) => html`<a key=${path} href=${href(path)} aria-current=${route.value.path === path ? "page" : undefined}>${t("web.operator.tab." + name)}</a>`)}</nav>`
}
