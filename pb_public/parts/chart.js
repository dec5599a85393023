// Charts come when there is one: what draws them is larger than all the rest.
import { html, useEffect, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"

let drawn // the module, once it is there

/** A chart or its table, as lib/chart.js says; keeps its place until it can be drawn. */
export const Chart = (props) => html`<${Late} ...${props} of="Chart" />`

/** Bars that lie, for what has names; as lib/ranks.js says. */
export const Ranks = (props) => html`<${Late} ...${props} of="Ranks" />`

function Late({ of, ...props }) {
	const [module, set] = useState(drawn)
	useEffect(() => {
		let here = true
		if (!module) import("../lib/chart.js").then((m) => ((drawn = m), here && set(m)), () => here && set({}))
		return () => (here = false)
	}, [])
	if (module?.[of]) return html`<${module[of]} ...${props} />`
	return html`<div style=${{ minHeight: of === "Chart" ? "19rem" : "6rem" }} aria-busy=${!module}>${module && html`<p class="note warn">${t("web.offline.need")}</p>`}</div>`
}
