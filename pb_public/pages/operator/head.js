// What stands above the pages about models: which there are, who may ask them, what that cost.
import { html } from "../../lib/html.js"
import { href, route } from "../../lib/router.js"
import { t } from "../../lib/i18n.js"
import { OpHead } from "../../parts/oplist.js"

const tabs = [
	["/operator/assistants", "web.assistants"],
	["/operator/grants", "web.access"],
	["/operator/figures", "web.figures"],
]

/** The title of such a page, with the ways to the others. */
export const Head = ({ title, about, children }) => html`<${OpHead} title=${title} about=${about}>${children}<//>
	<nav class="tabs" aria-label=${t("web.operator.models")}>${tabs.map(([path, name]) => html`<a key=${path} href=${href(path)} aria-current=${route.value.path === path ? "page" : undefined}>${t(name)}</a>`)}</nav>`
