// The pages for which the bar of phones has no room.
import { html } from "../lib/html.js"
import { href } from "../lib/router.js"
import { entries } from "../lib/store.js"
import { t } from "../lib/i18n.js"
import { Count, onBar } from "../parts/nav.js"
import { Icon } from "../parts/icon.js"

export default function More() {
	const others = entries.value.filter((p) => !onBar().includes(p))
	return html`<header><h1>${t("web.nav.more")}</h1></header>
		<nav class="panel" aria-label=${t("web.nav.more")}><ul class="items">${others.map((p) => html`<li key=${p.path}><a class="way" href=${href(p.path)}><${Icon} name=${p.nav.icon} /><span>${t(p.nav.label)}</span><${Count} page=${p} /><${Icon} name="next" /></a></li>`)}</ul></nav>`
}
