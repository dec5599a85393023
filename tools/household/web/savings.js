// What could cost less, as facts with where they stand, and prices that changed. What to do about it is everybody's own.
import { Choice, day, Endless, go, href, html, money, number, read, t } from "../../kit.js"

const watch = ["household_subscriptions", "household_charges", "household_prices", "household_pauses"]

export default function Savings({ query }) {
	const rise = Number(query.rise) || 10, months = Number(query.months) || 6, since = Number(query.since) || 12
	const put = (more) => go("/savings", { ...query, ...more }, { replace: true })
	return html`<header><h1>${t("household.title.savings")}</h1></header>
		<p class="soft">${t("household.web.savings.about")}</p>
		<div class="span">
			<${Choice} label=${t("household.web.savings.rise")} value=${String(rise)} onChange=${(e) => put({ rise: e.target.value })} choices=${[1, 5, 10, 20].map((n) => [String(n), number(n / 100, { style: "percent" })])} />
			<${Choice} label=${t("household.web.savings.months")} value=${String(months)} onChange=${(e) => put({ months: e.target.value })} choices=${[2, 3, 6, 12].map((n) => [String(n), t("household.web.months.count", n)])} />
		</div>
		<section class="panel evidence"><${Endless} label=${t("household.title.savings")} deps=${[rise, months]} watch=${watch} empty=${t("household.web.savings.none")}
			load=${(cursor, o) => read("household_savings", { rise_percent: rise, months, limit: 50, cursor }, o)} row=${(s) => html`<${Fact} of=${s} />`} /></section>
		<section class="panel evidence"><header><h2>${t("household.title.price_changes")}</h2>
			<${Choice} label=${t("household.web.money.since")} value=${String(since)} onChange=${(e) => put({ since: e.target.value })} choices=${[12, 24, 36].map((n) => [String(n), t("household.web.last.months", n)])} /></header>
			<${Endless} label=${t("household.title.price_changes")} deps=${[since]} watch=${watch} empty=${t("household.web.changes.none")}
				load=${(cursor, o) => read("household_price_changes", { since: back(since), limit: 50, cursor }, o)} row=${(c) => html`<${Change} of=${c} />`} /></section>`
}

// The day so many months ago.
function back(months) {
	const d = new Date()
	d.setUTCDate(1)
	d.setUTCMonth(d.getUTCMonth() - months)
	return d.toISOString().slice(0, 10)
}

const place = (r) => (r.collection === "household_subscriptions" ? href("/subscriptions/" + r.id) : "")

function Fact({ of }) {
	return html`<div class="row"><div>
			<p><span class="chip">${t("household.web.saving." + of.kind)}</span></p><p dir="auto">${of.text}</p>
			<p class="small">${of.records.map((r, i) => html`<span key=${r.collection + r.id}>${i > 0 && " · "}${place(r) ? html`<a href=${place(r)} dir="auto">${r.name}</a>` : html`<span dir="auto">${r.name}</span>`}${r.owner && " (" + r.owner + ")"}</span>`)}${of.more > 0 && html` <span class="soft">${t("household.web.and.more", of.more)}</span>`}</p>
		</div>
		<p class="number">${of.costs.map((c) => html`<span key=${c.currency}>${c.charged ? html`<b>${money(c.charged, c.currency)}</b> <span class="soft small">${t("household.web.charged")}</span>` : html`<b>${money(c.per_year, c.currency)}</b> <span class="soft small">${t("household.web.a.year.only")}</span>`}<br /></span>`)}</p></div>`
}

function Change({ of }) {
	const marks = [of.upcoming && t("household.web.change.upcoming"), of.introductory && t("household.web.change.introductory"), of.unrecorded > 0 && t("household.web.change.unrecorded", of.unrecorded)].filter(Boolean)
	return html`<div class="row"><div>
			<p><a href=${href("/subscriptions/" + of.subscription)} dir="auto">${of.name}</a></p>
			<p>${t("household.web.change.from", money(of.before, of.currency), money(of.after, of.currency), day(of.from))}</p>
			<p>${marks.map((m) => html`<span class="chip" key=${m}>${m}</span> `)}</p>
		</div>
		<p class="number"><b>${of.percent ? number(of.percent + "e-2", { style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" }) : ""}</b><br /><span class="soft small">${t("household.web.a.year.more", money(of.per_year, of.currency, { signDisplay: "exceptZero" }))}</span></p></div>`
}
