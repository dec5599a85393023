// What a tool answered, for people: named values, and tables of what there are several of.
import { html, signal, useEffect } from "../lib/html.js"
import { list } from "../lib/api.js"
import { day, moment, money, number, several, t } from "../lib/i18n.js"
import { labelOf } from "../lib/registry.js"

const amounts = /amount|price|cost|sum|total|per_month|per_year|spent|paid|share|fixed/

const units = { D: "day", W: "week", M: "month", Y: "year" } // of a duration

const isText = (v) => v && typeof v === "object" && typeof v.text === "string" && "key" in v
const isPlain = (v) => v === null || typeof v !== "object" || isText(v) || (Array.isArray(v) && v.every((x) => typeof x !== "object" || isText(x)))
// A thing with a name is called by it, where it is beside others.
const short = (v) => v && typeof v === "object" && !Array.isArray(v) && (v.name ?? v.handle ?? v.title)

// Ids of accounts are for programs: people know each other by their handles, which arguments take as well.
const handles = signal({})
const hasAccount = (schema) => schema?.format === "account" || [...Object.values(schema?.properties || {}), schema?.items].some((s) => s && hasAccount(s))

/** Shows a value, called as its schema has it; more() asks for the next page of its items. */
export function Output({ value, schema, more }) {
	useEffect(() => {
		if (!hasAccount(schema)) return
		const known = (page) => (handles.value = Object.fromEntries(page.items.map((u) => [u.id, u.handle])))
		list("/api/collections/users/records", { perPage: 500, fields: "id,handle" }).then(known, () => {}) // without them the ids stay
	}, [schema])
	return html`<${Thing} value=${value} schema=${schema} />${more && html`<div class="acts"><button onClick=${more}>${t("web.tool.more")}</button></div>`}`
}

// A part of it; of an object whose names its schema does not know, labels may have them, too.
const part = (schema, name) => schema?.properties?.[name] || (schema?.labels && { title: schema.labels[name], labels: schema.labels })

// What may hold anything is for programs, and stays as they take it.
const isRaw = (schema) => schema?.type === "object" && !schema.properties && schema.additionalProperties && !schema.additionalProperties.type

function Thing({ value, schema, depth = 0, label }) {
	if (isPlain(value)) return html`<p dir="auto">${said("", value, {}, schema)}</p>`
	if (isRaw(schema)) return html`<pre class="scroll" tabindex="0" role="region" aria-label=${label || t("web.tool.output")}>${JSON.stringify(value, null, 1)}</pre>`
	if (Array.isArray(value)) return value.length ? html`<${Table} rows=${value} schema=${schema?.items} label=${label} />` : html`<p class="soft">${t("web.tool.empty")}</p>`
	const all = Object.entries(value).filter(([k, v]) => v !== "" && v !== null && k !== "next")
	const plain = all.filter(([, v]) => isPlain(v) && !(Array.isArray(v) && !v.length)), deep = all.filter(([, v]) => !isPlain(v) || (Array.isArray(v) && !v.length))
	const Head = depth ? "h4" : "h3", called = (k) => labelOf(k, part(schema, k))
	if (!all.length) return html`<p class="soft">${t("web.tool.empty")}</p>`
	return html`
		${plain.length > 0 && html`<dl class="out-named">${plain.map(([k, v]) => html`<div key=${k}><dt>${called(k)}</dt><dd dir="auto">${said(k, v, value, part(schema, k))}</dd></div>`)}</dl>`}
		${deep.map(([k, v]) => html`<section class="stack" key=${k}>${k !== "items" && html`<${Head}>${called(k)}<//>`}<${Thing} value=${v} schema=${part(schema, k)} depth=${depth + 1} label=${k === "items" ? "" : called(k)} /></section>`)}
	`
}

function Table({ rows, schema, label }) {
	if (rows.some((r) => typeof r !== "object" || Array.isArray(r))) return html`<ul>${rows.map((r) => html`<li>${isPlain(r) ? said("", r, {}, schema) : html`<${Thing} value=${r} schema=${schema} />`}</li>`)}</ul>`
	const seen = new Set(rows.flatMap(Object.keys))
	const fits = (k) => rows.every((r) => r[k] === undefined || isPlain(r[k]) || short(r[k]))
	const value = (k, r) => said(k, r[k], r, part(schema, k))
	const columns = [...seen].filter((k) => fits(k) && k !== "id" && k !== "currency" && rows.some((r) => value(k, r) !== ""))
	if (seen.has("id")) columns.push("id")
	const deep = [...seen].filter((k) => !fits(k))
	return html`<div class="scroll" tabindex="0" role="region" aria-label=${label || t("web.tool.output")}><table class="wide">
		<thead><tr>${columns.map((k) => html`<th scope="col" key=${k} class=${amounts.test(k) ? "number" : ""}>${labelOf(k, part(schema, k))}</th>`)}${deep.length > 0 && html`<th scope="col">${t("web.tool.details")}</th>`}</tr></thead>
		<tbody>${rows.map((r, i) => html`<tr key=${r.id || i}>${columns.map((k) => html`<td key=${k} dir="auto" class=${k === "id" ? "id" : amounts.test(k) ? "number" : ""}>${value(k, r)}</td>`)}
			${deep.length > 0 && html`<td>${deep.some((k) => r[k] !== undefined) && html`<details><summary>${t("web.tool.details")}</summary><${Thing} value=${Object.fromEntries(deep.filter((k) => r[k] !== undefined).map((k) => [k, r[k]]))} schema=${schema} /></details>`}</td>`}</tr>`)}</tbody>
	</table></div>`
}

// One value as people write it. What is not known for something is shown as it is.
function said(name, v, beside, schema) {
	if (v === undefined || v === null || v === "") return ""
	if (isText(v)) return v.text
	if (Array.isArray(v)) return several(v.map((x) => said(name, x, beside, schema)))
	if (typeof v === "object") return String(short(v))
	if (typeof v === "boolean") return t(v ? "web.form.yes" : "web.form.no")
	if (typeof v === "number") return /year|day$|line/.test(name) ? String(v) : number(v)
	if (schema?.format === "account") return handles.value[v] || v
	if (schema?.labels?.[v]) return schema.labels[v]
	const [, n, unit] = /^P(\d+)([DWMY])$/.exec(v) || []
	if (unit) return number(+n, { style: "unit", unit: units[unit], unitDisplay: "long" })
	if (/^\d{4}-\d\d-\d\d$/.test(v)) return day(v)
	if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(v)) return moment(v)
	if (/^-?\d+(\.\d+)?$/.test(v) && amounts.test(name)) return money(v, beside.currency)
	return v
}
