// What a tool answered, for people: named values, and tables of what there are several of.
import { html } from "../lib/html.js"
import { day, moment, money, number, several, t } from "../lib/i18n.js"
import { words } from "../lib/registry.js"

const amounts = /amount|price|cost|sum|total|per_month|per_year|spent|paid|share|fixed/

const isText = (v) => v && typeof v === "object" && typeof v.text === "string" && "key" in v
const isPlain = (v) => v === null || typeof v !== "object" || isText(v) || (Array.isArray(v) && v.every((x) => typeof x !== "object" || isText(x)))
// A thing with a name is called by it, where it is beside others.
const short = (v) => v && typeof v === "object" && !Array.isArray(v) && (v.name ?? v.handle ?? v.title)

/** Shows a value; more() asks for the next page of its items. */
export function Output({ value, more }) {
	return html`<${Thing} value=${value} />${more && html`<div class="acts"><button onClick=${more}>${t("web.tool.more")}</button></div>`}`
}

function Thing({ value, depth = 0, label }) {
	if (isPlain(value)) return html`<p dir="auto">${said("", value, {})}</p>`
	if (Array.isArray(value)) return value.length ? html`<${Table} rows=${value} label=${label} />` : html`<p class="soft">${t("web.tool.empty")}</p>`
	const all = Object.entries(value).filter(([k, v]) => v !== "" && v !== null && k !== "next")
	const plain = all.filter(([, v]) => isPlain(v) && !(Array.isArray(v) && !v.length)), deep = all.filter(([, v]) => !isPlain(v) || (Array.isArray(v) && !v.length))
	const Head = depth ? "h4" : "h3"
	if (!all.length) return html`<p class="soft">${t("web.tool.empty")}</p>`
	return html`
		${plain.length > 0 && html`<dl class="out-named">${plain.map(([k, v]) => html`<div key=${k}><dt>${words(k)}</dt><dd dir="auto">${said(k, v, value)}</dd></div>`)}</dl>`}
		${deep.map(([k, v]) => html`<section class="stack" key=${k}>${k !== "items" && html`<${Head}>${words(k)}<//>`}<${Thing} value=${v} depth=${depth + 1} label=${k === "items" ? "" : words(k)} /></section>`)}
	`
}

function Table({ rows, label }) {
	if (rows.some((r) => typeof r !== "object" || Array.isArray(r))) return html`<ul>${rows.map((r) => html`<li>${isPlain(r) ? said("", r, {}) : html`<${Thing} value=${r} depth=${1} />`}</li>`)}</ul>`
	const seen = new Set(rows.flatMap(Object.keys))
	const fits = (k) => rows.every((r) => r[k] === undefined || isPlain(r[k]) || short(r[k]))
	const columns = [...seen].filter((k) => fits(k) && k !== "id" && k !== "currency" && rows.some((r) => said(k, r[k], r) !== ""))
	if (seen.has("id")) columns.push("id")
	const deep = [...seen].filter((k) => !fits(k))
	return html`<div class="scroll" tabindex="0" role="region" aria-label=${label || t("web.tool.output")}><table class="wide">
		<thead><tr>${columns.map((k) => html`<th scope="col" key=${k} class=${amounts.test(k) ? "number" : ""}>${words(k)}</th>`)}${deep.length > 0 && html`<th scope="col">${t("web.tool.details")}</th>`}</tr></thead>
		<tbody>${rows.map((r, i) => html`<tr key=${r.id || i}>${columns.map((k) => html`<td key=${k} dir="auto" class=${k === "id" ? "id" : amounts.test(k) ? "number" : ""}>${said(k, r[k], r)}</td>`)}
			${deep.length > 0 && html`<td>${deep.some((k) => r[k] !== undefined) && html`<details><summary>${t("web.tool.details")}</summary><${Thing} value=${Object.fromEntries(deep.filter((k) => r[k] !== undefined).map((k) => [k, r[k]]))} depth=${1} /></details>`}</td>`}</tr>`)}</tbody>
	</table></div>`
}

// One value as people write it. What is not known for something is shown as it is.
function said(name, v, beside) {
	if (v === undefined || v === null || v === "") return ""
	if (isText(v)) return v.text
	if (Array.isArray(v)) return several(v.map((x) => said(name, x, beside)))
	if (typeof v === "object") return String(short(v))
	if (typeof v === "boolean") return t(v ? "web.form.yes" : "web.form.no")
	if (typeof v === "number") return /year|day$|line/.test(name) ? String(v) : number(v)
	if (/^\d{4}-\d\d-\d\d$/.test(v)) return day(v)
	if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(v)) return moment(v)
	if (/^-?\d+(\.\d+)?$/.test(v) && amounts.test(name)) return money(v, beside.currency)
	return v
}
