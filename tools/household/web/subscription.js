// One subscription: what it is and costs, what can be done with it, what was paid, and who changed what.
import { day, html, href, Icon, Loaded, money, read, record, t, useData, useEffect } from "../../kit.js"
import { below, every, Hidden, long, Mark, Status, useLists } from "./words.js"
import { Deeds } from "./deeds.js"
import { Charges } from "./charges.js"
import { Prices } from "./prices.js"
import { History } from "./history.js"

export default function One({ params: { id } }) {
	const one = useData((o) => read("household_subscription_get", { id }, o), [id], { watch: below })
	const lists = useLists()
	const name = one.data?.name
	useEffect(() => { // what a question is about by itself
		if (name) record.value = { collection: "household_subscriptions", id, label: name }
		return () => (record.value = null)
	}, [id, name])
	if (one.problem?.kind === "not_found") return html`<${Gone} name=${one.data?.name} />`
	return html`<${Loaded} of=${one}>${(s) => html`<${Whole} s=${s} lists=${lists} reload=${one.reload} />`}<//>`
}

// Deleted, by whomever, while somebody looked at it; or never there.
export const Gone = ({ name }) => html`<header><h1 dir="auto">${name || t("household.title.subscription_get")}</h1></header>
	<div class="note warn" role="alert"><p>${name ? t("household.web.gone", name) : t("household.web.gone.none")}</p></div><p><a class="button" href="#/subscriptions">${t("household.web.subscriptions")}</a></p>`

function Whole({ s, lists, reload }) {
	const color = lists.categories.find((c) => c.id === s.category?.id)?.color
	return html`<header class="one-head">
			<a class="back" href="#/subscriptions"><${Icon} name="back" />${t("household.web.subscriptions")}</a>
			<div class="title"><${Mark} ...${s} color=${color} /><div><h1 dir="auto">${s.name} ${s.private && html`<${Hidden} />`}</h1><p class="soft">${money(s.amount, s.currency)} ${every(s.cycle)}</p></div><${Status} status=${s.status} /></div>
		</header>
		<${Deeds} s=${s} lists=${lists} reload=${reload} />
		<div class="house-one">
			<div class="stack"><${Facts} s=${s} lists=${lists} /><${Terms} s=${s} /><${Shares} s=${s} />${s.notes && html`<section class="panel"><h2>${t("household.web.notes")}</h2><p class="notes" dir="auto">${s.notes}</p></section>`}<${Prices} s=${s} /></div>
			<${Charges} s=${s} />
		</div>
		<${History} s=${s} members=${lists.members} />`
}

const Fact = ({ label, children }) => html`<div><dt>${label}</dt><dd dir="auto">${children}</dd></div>`

function Facts({ s, lists }) {
	const owner = lists.members.find((m) => m.id === s.owner)
	return html`<section class="panel"><h2 class="unseen">${t("household.web.facts")}</h2>
		<dl class="facts lined">
			${s.upcoming[0] && html`<${Fact} label=${t("household.web.next.charge")}><b>${day(s.upcoming[0].date)}</b> · ${money(s.upcoming[0].amount, s.currency)}<//>`}
			${s.upcoming.length > 1 && html`<${Fact} label=${t("household.web.then")}>${s.upcoming.slice(1).map((u, i) => html`${i > 0 && " · "}${day(u.date)}${u.amount !== s.upcoming[0].amount && ": " + money(u.amount, s.currency)}`)}<//>`}
			${s.cycle !== "P1M" && html`<${Fact} label=${t("household.web.per.month")}>${money(s.per_month, s.currency)}<//>`}
			${s.trial && html`<${Fact} label=${t("household.status.trial")}>${t("household.web.trial.until", day(s.trial.ends_on))}${s.trial.decided ? " · " + (s.trial.decided === "keep" ? t("household.web.trial.kept") : t("household.web.trial.dropped")) : " · " + t("household.web.trial.by", day(s.trial.decide_by))}<//>`}
			${s.pause && html`<${Fact} label=${t("household.status.paused")}>${s.pause.resumes ? t("household.web.span", day(s.pause.from), day(s.pause.resumes)) : t("household.web.since", day(s.pause.from))}<//>`}
			${s.ends_on && html`<${Fact} label=${t("household.web.last.day")}>${day(s.ends_on)}<//>`}
			${s.category && html`<${Fact} label=${t("household.web.category")}><a href=${href("/subscriptions", { category: s.category.id })}>${s.category.name}</a><//>`}
			${s.payment_method && html`<${Fact} label=${t("household.web.method")}><a href=${href("/subscriptions", { payment_method: s.payment_method.id })}>${s.payment_method.name}</a><//>`}
			${s.tags?.length > 0 && html`<${Fact} label=${t("household.web.tags")}>${s.tags.map((x) => html`<a class="chip" href=${href("/subscriptions", { tag: x })} dir="auto">${x}</a> `)}<//>`}
			${owner && html`<${Fact} label=${t("household.web.owner")}>${owner.handle}<//>`}
			${s.merchant && html`<${Fact} label=${t("household.web.merchant")}>${s.merchant}<//>`}
			${s.account && html`<${Fact} label=${t("household.web.account")}>${s.account}<//>`}
			${s.url && html`<${Fact} label=${t("household.web.url")}><a href=${s.url} target="_blank" rel="noopener noreferrer">${s.url}</a><//>`}
			${s.replaces && html`<${Fact} label=${t("household.web.replaces")}><a href=${href("/subscriptions/" + s.replaces.id)}>${s.replaces.name}</a><//>`}
			${s.replaced_by?.map((r) => html`<${Fact} label=${t("household.web.replaced.by")}><a href=${href("/subscriptions/" + r.id)}>${r.name}</a><//>`)}
			${s.remind_days !== undefined && html`<${Fact} label=${t("household.web.remind")}>${s.remind_days < 0 ? t("household.web.remind.never") : t("household.web.days.before", s.remind_days)}<//>`}
		</dl>
	</section>`
}

function Terms({ s: { terms } }) {
	if (!terms) return null
	return html`<section class="panel"><h2>${t("household.web.terms")}</h2>
		${terms.notice_by && html`<p class="note warn">${t("household.web.terms.by", day(terms.notice_by), day(terms.ends_on))}</p>`}
		<dl class="facts lined">
			${terms.from && html`<${Fact} label=${t("household.web.terms.from")}>${day(terms.from)}<//>`}
			${terms.min_term && html`<${Fact} label=${t("household.web.terms.min")}>${long(terms.min_term)}<//>`}
			${terms.extension && html`<${Fact} label=${t("household.web.terms.extension")}>${long(terms.extension)}<//>`}
			${terms.notice && html`<${Fact} label=${t("household.web.terms.notice")}>${long(terms.notice)}<//>`}
			${terms.noticed_on && html`<${Fact} label=${t("household.web.terms.noticed")}>${day(terms.noticed_on)}<//>`}
		</dl>
	</section>`
}

function Shares({ s }) {
	if (!s.shares?.length) return null
	return html`<section class="panel"><h2>${t("household.web.shares")}</h2>
		<dl class="facts lined">${s.shares.map((x) => html`<${Fact} label=${x.handle || x.person || t("household.web.shares.left")}><span class="number">${money(x.amount, s.currency)}</span><//>`)}</dl>
	</section>`
}

