// What can be done with a plugin, as a list: enough to use one that has no pages.
import { html, useState } from "../lib/html.js"
import { useData } from "../lib/data.js"
import { href } from "../lib/router.js"
import { pluginOf, tools, words } from "../lib/registry.js"
import { t } from "../lib/i18n.js"
import { Icon } from "../parts/icon.js"
import { Loaded } from "../parts/state.js"

export default function Tools({ params }) {
	const all = useData(tools)
	const [wanted, want] = useState("")
	const fits = (tool) => (tool.title + " " + tool.name + " " + tool.help).toLowerCase().includes(wanted.trim().toLowerCase())
	return html`<header><h1>${t("web.tools")}</h1></header><${Loaded} of=${all}>${(list) => {
		const names = [...new Set(list.map(pluginOf))].filter((n) => !params.plugin || n === params.plugin)
		const some = names.map((n) => [n, list.filter((x) => pluginOf(x) === n && fits(x)).sort((a, b) => a.title.localeCompare(b.title))])
		return html`<input type="search" aria-label=${t("web.tools.find")} placeholder=${t("web.tools.find")} value=${wanted} onInput=${(e) => want(e.target.value)} />
			${params.plugin && html`<p><a href=${href("/tools")}>${t("web.tools.all")}</a></p>`}
			${some.map(([name, of]) => of.length > 0 && html`<section class="panel" key=${name}><h2>${words(name)}</h2>
				<ul class="items">${of.map((x) => html`<li key=${x.name}><a class="way" href=${href("/tool/" + x.name)}><span>${x.title}</span><${Icon} name="next" /></a></li>`)}</ul></section>`)}
			${!some.some(([, of]) => of.length) && html`<p class="empty">${t("web.palette.none")}</p>`}`
	}}<//>`
}
