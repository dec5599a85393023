// All pages, for phones, where the bar has room for four.
import { html } from "../lib/html.js"
import { href } from "../lib/router.js"
import { entries } from "../lib/store.js"
import { t } from "../lib/i18n.js"
import { Count } from "../parts/nav.js"
import { Icon } from "../parts/icon.js"

export default function More() {
	return html`<header><h1>${t("web.nav.more")}</h1></header>
		<ul class="items panel">${entries.value.map((p) => html`<li key=${p.path}><a class="row" href=${href(p.path)}><span class="acts"><${Icon} name=${p.nav.icon} />${t(p.nav.label)}<${Count} page=${p} /></span><${Icon} name="next" /></a></li>`)}</ul>`
}
