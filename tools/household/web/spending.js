// What was spent: by month, category, member, payment method, tag or subscription, and what a bar is made of.
import { csv, csvMedia, day, go, href, html, Icon, Loaded, month, read, save, t, useData, useEffect, useRef } from "../../kit.js"
import { pages, spent, useSteady } from "./money.js"
import { Bars, nameOf } from "./spending_bars.js"
import { Sums } from "./spending_sums.js"
import { Shares } from "./shares.js"

const groups = ["month", "category", "payment_method", "member", "tag", "subscription"]
const label = (by) => t("household.web.by." + by)

/** What is asked for, by the address. Without a span it is twelve months. */
export function question({ by, period, from, to, category, tag, subscription }, today) {
	const args = { by: groups.includes(by) ? by : "month", category, tag, subscription }
	if (period === "year") args.from = today.slice(0, 4) + "-01-01"
	else if (period === "own" || from || to) Object.assign(args, { from, to })
	else if (Number(period) > 0) args.months = Number(period)
	return Object.fromEntries(Object.entries(args).filter(([, v]) => v))
}

export default function Spending({ query }) {
	const home = useData((o) => read("household_settings_get", {}, o), [], { watch: ["household_settings"] })
	return html`<${Loaded} of=${home}>${(h) => html`<${Page} query=${query} today=${h.today} />`}<//>`
}

function Page({ query, today }) {
	const args = question(query, today)
	const found = useSteady(useData((o) => pages("household_spending", args, o, query.all ? 10 : 1), [JSON.stringify(args), query.all], { watch: spent }))
	const signs = useData((o) => pages("household_category_list", {}, o), [], { watch: ["household_categories"] })
	const to = (more) => href("/spending", { ...query, all: "", ...more })
	const narrowed = ["category", "tag", "subscription"].filter((n) => query[n])
	const nav = useRef()
	useEffect(() => nav.current.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" }), [args.by])
	return html`<header><h1>${t("household.web.spending")}</h1></header>
		<nav ref=${nav} class="picks one-line" aria-label=${t("household.web.group")}>${groups.map((g) => html`<a key=${g} class="pick" href=${to({ by: g, ...(g === "month" && query.was && { from: "", to: "", was: "" }) })} aria-current=${args.by === g ? "true" : undefined}>${label(g)}</a>`)}</nav>
		${!query.was && html`<${Span} query=${query} today=${today} />`}
		${(narrowed.length > 0 || query.was) && html`<p class="picks"><span class="soft">${t("household.web.only")}</span>
			${narrowed.map((n) => html`<a key=${n} class="pick" href=${to({ [n]: "", name: "" })}><span dir="auto">${query.name || query[n]}</span> <${Icon} name="close" /><span class="unseen">${t("household.web.only.end")}</span></a>`)}
			${query.was && html`<a class="pick" href=${to({ from: "", to: "", by: "month", was: "" })}><span>${month(query.was)}</span> <${Icon} name="close" /><span class="unseen">${t("household.web.only.end")}</span></a>`}</p>`}
		<${Loaded} of=${found}>${(d) => html`
			<p class="soft small">${t("household.web.from.to", day(d.from), day(d.to))}</p>
			${d.totals.length === 0 ? html`<section class="panel empty"><p>${t("household.web.spending.none")}</p><p><a class="button" href="#/subscriptions">${t("household.web.subscriptions")}</a></p></section>` : html`
				<${Sums} found=${d} />
				<${Bars} found=${d} query=${query} signs=${signs.data?.items || []} />
				${d.next && html`<div class="acts"><a class="button" href=${href("/spending", { ...query, all: 1 })}>${t("household.web.all.rows")}</a></div>`}
				${d.overlaps && html`<p class="note">${t("household.web.overlaps")}</p>`}`}
			<div class="acts"><button disabled=${!d.items?.length} onClick=${() => keep(d)}><${Icon} name="import" />${t("household.web.csv")}</button><a class="button" href="#/savings">${t("household.title.savings")}</a></div>
		`}<//>
		${args.by === "member" && html`<${Shares} />`}`
}

function Span({ query, today }) {
	const own = query.period === "own" || query.from || query.to
	const value = own ? "own" : query.period || "12"
	const put = (more) => go("/spending", { ...query, all: "", was: "", ...more }, { replace: true })
	const choices = [["year", t("household.web.this.year")], ["12", t("household.web.last.months", 12)], ["24", t("household.web.last.months", 24)], ["36", t("household.web.last.months", 36)], ["own", t("household.web.own.span")]]
	const choose = (e) => (e.target.value === "own" ? put({ period: "own", from: query.from || today.slice(0, 4) + "-01-01", to: query.to || today }) : put({ period: e.target.value, from: "", to: "" }))
	return html`<div class="span">
		<label class="field"><b>${t("household.web.money.span")}</b><select onChange=${choose}>${choices.map(([v, l]) => html`<option value=${v} selected=${v === value}>${l}</option>`)}</select></label>
		${own && html`<label class="field"><b>${t("household.web.from")}</b><input type="date" value=${query.from} onChange=${(e) => put({ period: "own", from: e.target.value })} /></label>
			<label class="field"><b>${t("household.web.to")}</b><input type="date" value=${query.to} onChange=${(e) => put({ period: "own", to: e.target.value })} /></label>`}
	</div>`
}

function keep(found) {
	const rows = found.items.flatMap((i) => i.sums.map((s) => [i.month || nameOf(i), s.currency, s.booked, s.expected, s.total]))
	save(`${found.by}-${found.from}-${found.to}.csv`, csvMedia, csv([[label(found.by), t("household_settings.currency"), t("household.web.booked"), t("household.web.expected"), t("web.chart.total")], ...rows]))
}
