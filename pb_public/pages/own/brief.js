// What was used, in short, for the page of settings; all of it has a page of its own.
import { html } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { useData } from "../../lib/data.js"
import { t } from "../../lib/i18n.js"
import { micros } from "../../lib/micros.js"
import { Icon } from "../../parts/icon.js"
import { Loaded } from "../../parts/state.js"

/** The section of the settings that leads to assistants and usage. */
export default function Brief() {
	const usage = useData((o) => list("/me/usage", { limit: 1 }, o))
	return html`<section class="panel" aria-labelledby="own-brief">
		<h2 id="own-brief">${t("web.usage")}</h2>
		<${Loaded} of=${usage}>${(u) => html`<p>${t("web.usage.today")}: <b class="number">${micros(u.day.cost_micros, u.currency)}</b> · ${t("web.usage.month")}: <b class="number">${micros(u.month.cost_micros, u.currency)}</b></p>`}<//>
		<div class="acts"><a class="button" href="#/usage">${t("web.usage.open")}<${Icon} name="next" /></a></div>
	</section>`
}
