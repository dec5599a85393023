// The ways to the pages: a bar below on phones, a column beside on wide screens.
import { html } from "../lib/html.js"
import { href, place } from "../lib/router.js"
import { entries, knocking, waiting } from "../lib/store.js"
import { t } from "../lib/i18n.js"
import { Icon } from "./icon.js"
import { openPalette, withCtrl } from "./keys.js"

/** The pages for which the bar of phones has room. */
export const onBar = () => entries.value.filter((p) => p.nav.narrow).slice(0, 4)

export function Nav() {
	const all = entries.value
	const narrow = onBar()
	return html`<nav class="nav" aria-label=${t("web.nav")}>
		<a class="brand" href="#/">Nodkeep</a>
		<button class="wide find" onClick=${openPalette}><${Icon} name="search" /><span class="label" aria-hidden="true">${t("web.palette.short")}</span><span class="unseen">${t("web.palette")}</span><kbd aria-hidden="true">${withCtrl("K")}</kbd></button>
		${all.map((p) => html`<${Entry} key=${p.path} page=${p} class=${narrow.includes(p) ? "" : "wide"} />`)}
		<${Entry} page=${{ path: "/more", nav: { label: "web.nav.more", icon: "more", within: all.flatMap((p) => (narrow.includes(p) ? [] : [p.path, ...(p.nav.within || [])])) } }} class="narrow" />
	</nav>`
}

function Entry({ page, class: name }) {
	const here = place.value === page.path || page.nav.within?.includes(place.value)
	const press = (e) => {
		if (!page.nav.open || here || e.metaKey || e.ctrlKey || e.shiftKey) return
		e.preventDefault()
		page.nav.open()
	}
	return html`<a href=${href(page.path)} class=${name} aria-current=${here ? "page" : undefined} onClick=${press}>
		<${Icon} name=${page.nav.icon} /><span class="label">${t(page.nav.label)}</span>
		<${Count} page=${page} />
	</a>`
}

/** How many wait on a page, where any do. Phones hide some pages behind "more", which counts for them. */
export function Count({ page }) {
	const [count, says] = page.path === "/inbox" ? [waiting.value, "web.inbox.count"] : page.path === "/operator" || page.path === "/more" ? [knocking.value, "web.operator.knocking"] : [0]
	return count > 0 && html`<span class="badge"><span aria-hidden="true">${count}</span><span class="unseen">${t(says, count)}</span></span>`
}
