// What stands above the pages about models: which there are, who may ask them, what that cost.
import { html, useEffect, useRef } from "../../lib/html.js"
import { href, route } from "../../lib/router.js"
import { t } from "../../lib/i18n.js"
import { OpHead } from "../../parts/oplist.js"

const tabs = [
	["/operator/assistants", "web.assistants"],
	["/operator/grants", "web.access"],
	["/operator/figures", "web.figures"],
]

/** The title of such a page, with the ways to the others: that to this one is seen, also where not all have room. */
export function Head({ title, about, children }) {
	const nav = useRef()
	useEffect(() => nav.current.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" }), [])
	return html`<${OpHead} title=${title} about=${about}>${children}<//>
		<nav ref=${nav} class="tabs" aria-label=${t("web.operator.models")}>${tabs.map(([path, name]) => html`<a key=${path} href=${href(path)} aria-current=${route.value.path === path ? "page" : undefined}>${t(name)}</a>`)}</nav>`
}
