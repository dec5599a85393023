// A question to an assistant, in figures: no word of it is kept.
import { html } from "../lib/html.js"
import { number, t } from "../lib/i18n.js"
import { href } from "../lib/router.js"
import { micros } from "../lib/micros.js"

/** Which assistant, what it took, what came of it. */
export function Figures({ args: a, leave }) {
	const calls = (a.tools || []).map((x) => x.name + (x.calls > 1 ? " × " + number(x.calls) : "") + (x.failed ? " (" + t("web.activity.ask.failed", x.failed) + ")" : ""))
	const rows = [
		[t("web.activity.ask.assistant"), a.assistant],
		[t("web.activity.model"), a.model],
		[t("web.activity.ask.requests"), number(a.requests || 0)],
		[t("web.activity.ask.input"), number((a.input_uncached || 0) + (a.cache_write || 0))],
		[t("web.activity.ask.cached"), number(a.cache_read || 0)],
		[t("web.activity.ask.output"), number(a.output || 0)],
		[t("web.activity.ask.cost"), a.cost_micros === null || a.cost_micros === undefined ? t("web.activity.ask.unpriced") : micros(a.cost_micros, a.currency)],
		[t("web.activity.ask.took"), a.took_ms === undefined ? "" : number(a.took_ms / 1000, { style: "unit", unit: "second", maximumFractionDigits: 1 })],
		[t("web.activity.ask.tools"), calls.join(", ")],
		[t("web.activity.ask.changes"), a.changes > 0 ? number(a.changes) : ""],
	].filter(([, v]) => v)
	return html`<dl class="activity-facts">${rows.map(([k, v]) => html`<dt>${k}</dt><dd dir="auto">${v}</dd>`)}</dl>
		${a.proposals?.length > 0 && html`<ul>${a.proposals.map((id, i) => html`<li><a href=${href("/inbox/" + id)} onClick=${leave}>${t("web.activity.ask.card", i + 1)}</a></li>`)}</ul>`}
		<p class="soft small">${t("web.activity.ask.private")}</p>`
}
