// Limits to be filled in: what a day and a month may cost, and how many tokens that may be.
import { html } from "../lib/html.js"
import { number, t } from "../lib/i18n.js"
import { fine } from "../lib/micros.js"
import { css } from "../lib/css.js"
import { Field } from "./field.js"

await css("usage")

// The names of the limits.
const fields = ["day_cost", "month_cost", "day_tokens", "month_tokens"]
export { fields }

/** A limit in words. */
export const said = (field, value, currency) => (value === null || value === undefined ? t("web.limit.none") : field.endsWith("_cost") ? fine(value, currency) : number(value))

/**
 * One row for each limit: value is {field: {how: "keep"|"none"|"most", most: text}}. hows says which
 * of them there are, words what keep is called.
 */
export function Amounts({ value, change, currency, hows = ["keep", "none", "most"], words = {}, which = fields }) {
	const put = (field, v) => change({ ...value, [field]: { ...value[field], ...v } })
	return html`${which.map((field) => {
		const v = value[field], cost = field.endsWith("_cost")
		return html`<fieldset class="limit-row" key=${field}>
			<legend><b>${t("nodkeep_budgets." + field)}</b></legend>
			<select aria-label=${t("nodkeep_budgets." + field)} onChange=${(e) => put(field, { how: e.target.value })}>
				${hows.map((how) => html`<option key=${how} value=${how} selected=${how === v.how}>${words[how] || t("web.amount." + how)}</option>`)}
			</select>
			${v.how === "most" && html`<${Field} label=${cost ? t("web.amount.in", currency) : t("web.amount.tokens")} value=${v.most} required inputmode=${cost ? "decimal" : "numeric"} pattern=${cost ? "[0-9]{1,9}([.,][0-9]{1,6})?" : "[0-9]{1,15}"} autocomplete="off" onInput=${(e) => put(field, { most: e.target.value })} />`}
		</fieldset>`
	})}
	${hows.includes("none") && html`<p class="soft small">${t("web.amount.zero")}</p>`}`
}

/** A beginning for Amounts: from limits that there are, or with nothing said. */
export const begin = (limits, how = "keep") => Object.fromEntries(fields.map((f) => [f, limits ? (limits[f] === null || limits[f] === undefined ? { how: "none", most: "" } : { how: "most", most: String(limits[f]) }) : { how, most: "" }]))

/** What is sent of it; a comma is read as a point. Tokens are whole numbers, costs stay text. */
export function sent(value) {
	const out = {}
	for (const f of Object.keys(value)) {
		const { how, most } = value[f]
		if (how === "none") out[f] = null
		if (how === "most") out[f] = f.endsWith("_cost") ? most.trim().replace(",", ".") : Number(most.trim())
	}
	return out
}
