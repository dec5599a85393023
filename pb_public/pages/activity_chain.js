// Whether anybody has changed the list behind everybody's back, for operators.
import { html } from "../lib/html.js"
import { get } from "../lib/api.js"
import { t } from "../lib/i18n.js"
import { useData } from "../lib/data.js"
import { Sheet } from "../parts/dialog.js"
import { Loaded } from "../parts/state.js"

export function Chain({ done }) {
	const chain = useData((o) => get("/operator/audit", {}, o))
	return html`<${Sheet} title=${t("web.activity.check")} close=${() => done()} acts=${html`<button autofocus onClick=${() => done()}>${t("web.close")}</button>`}>
		<div aria-live="polite" class="stack"><${Loaded} of=${chain}>${(c) => html`
			${c.ok ? html`<p class="note good">${t("web.activity.chain.ok", c.entries)}</p>` : html`<div class="note bad" role="alert">
				<p>${t(c.head_only ? "web.activity.chain.head" : "web.activity.chain.bad")}</p><p>${t("web.activity.chain.how")}</p></div><pre>nodkeep audit verify</pre>`}
			${c.erased > 0 && html`<p class="soft">${t("web.activity.chain.erased", c.erased)}</p>`}
			${c.beyond > 0 && html`<p class="soft">${t("web.activity.chain.beyond", c.beyond)}</p>`}
		`}<//></div>
	<//>`
}
