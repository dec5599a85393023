// What the household has to say on the first page: this month, what comes, what needs somebody.
import { day, html, href, Icon, Loaded, money, month, read, t, useData } from "../../kit.js"
import { below, plus, whole } from "./words.js"
import { Attention, Savings } from "./attention.js"
import { Days } from "./days.js"

export default function Home() {
	const all = useData(load, [], { watch: [...below, "household_settings", "household_reminders"] })
	return html`<${Loaded} of=${all}>${(d) => (d.empty ? html`<${Begin} />` : html`<div class="house-home">
		<div class="stack">
			<${Month} ...${d} />
			<${Attention} ...${d} reload=${all.reload} />
		</div>
		<div class="stack">
			<${Days} upcoming=${d.upcoming} hidden=${d.hidden} today=${d.overview.today} />
			<${Savings} ...${d} />
		</div>
	</div>`)}<//>`
}

async function load(o) {
	const overview = await read("household_overview", {}, o)
	const count = overview.active + overview.trial + overview.paused + overview.cancelled
	if (!count && !overview.ended.length) return { empty: true }
	const [y, m] = overview.today.split("-").map(Number)
	const on = (year, m, d) => new Date(Date.UTC(year, m, d)).toISOString().slice(0, 10)
	const [spending, upcoming, open, trials, reminders, savings, hidden] = await Promise.all([
		read("household_spending", { by: "month", from: on(y, m - 2, 1), to: on(y, m, 0) }, o),
		read("household_upcoming", { days: 30, limit: 200 }, o),
		read("household_charge_list", { state: "expected", to: overview.today, limit: 200 }, o),
		read("household_subscription_list", { status: "trial", sort: "next", limit: 50 }, o),
		read("household_reminder_list", { days: 14, limit: 50 }, o),
		read("household_savings", { limit: 50 }, o),
		overview.private ? whole("household_subscription_list", { private: true, status: "all" }, o) : [],
	])
	return { overview, spending, upcoming, open, trials, reminders, savings, hidden: new Set(hidden.map((s) => s.id)) }
}

// This month: what is paid, what is still to come, and both against last month.
function Month({ overview, spending }) {
	const here = overview.today.slice(0, 7)
	const now = spending.items.find((i) => i.month === here)
	const before = spending.items.find((i) => i.month !== here)
	const many = now?.sums.length > 1
	return html`<section class="panel" aria-labelledby="house-month">
		<header><h2 id="house-month" class="capital">${month(here)}</h2>${overview.private > 0 && html`<span class="soft small"><${Icon} name="lock" /> ${t("household.web.month.private", overview.private)}</span>`}</header>
		${!now && html`<p class="soft">${t("household.web.month.none")}</p>`}
		${now?.converted?.amount && many && html`<div><p class="big">≈ ${money(now.converted.amount, now.converted.currency)}</p>
			<p class="soft small">${t("household.web.converted", day(now.converted.on || spending.converted?.on), now.converted.source || spending.converted?.source)}</p></div>`}
		${now && [...now.sums].sort((a, b) => (b.currency === overview.currency) - (a.currency === overview.currency)).map((s) => html`<${Sum} key=${s.currency} sum=${s} last=${before?.sums.find((b) => b.currency === s.currency)} lastMonth=${before?.month} small=${many && s.currency !== overview.currency} />`)}
		${many && !now.converted?.amount && html`<p class="soft small">${spending.converted?.missing?.[0]?.text || t("household.web.norate")}</p>`}
		<p class="soft small">${t("household.web.counts", overview.active)}${overview.trial > 0 && html` · <a href=${href("/subscriptions", { status: "trial" })}>${t("household.web.counts.trial", overview.trial)}</a>`}${overview.paused > 0 && html` · <a href=${href("/subscriptions", { status: "paused" })}>${t("household.web.counts.paused", overview.paused)}</a>`}${overview.cancelled > 0 && html` · <a href=${href("/subscriptions", { status: "cancelled" })}>${t("household.web.counts.cancelled", overview.cancelled)}</a>`}</p>
	</section>`
}

function Sum({ sum: s, last, lastMonth, small }) {
	const difference = last && plus(s.total, last.total, -1n)
	const more = difference && !difference.startsWith("-")
	const named = lastMonth && month(lastMonth, { month: "long" })
	const share = Number(s.total) > 0 ? Math.min(100, (100 * Number(s.booked)) / Number(s.total)) : 0 // for the length of a bar only
	return html`<div class="sum">
		<p class=${small ? "big lesser" : "big"}>${money(s.total, s.currency)}</p>
		<div class="bar" aria-hidden="true"><span style=${{ width: share + "%" }}></span></div>
		<dl class="facts">
			<div><dt><i class="dot full"></i>${t("household.web.month.spent")}</dt><dd class="number">${money(s.booked, s.currency)}</dd></div>
			<div><dt><i class="dot"></i>${t("household.web.month.open")}</dt><dd class="number">${money(s.expected, s.currency)}</dd></div>
		</dl>
		${last && html`<p class="soft small">${/^-?[0.]+$/.test(difference) ? t("household.web.month.same", named) : more ? t("household.web.month.more", money(difference, s.currency), named) : t("household.web.month.less", money(difference.slice(1), s.currency), named)}</p>`}
	</div>`
}

// A household in which nothing stands yet.
function Begin() {
	return html`<section class="panel begin">
		<h2>${t("household.web.begin")}</h2>
		<p class="soft">${t("household.web.begin.say")}</p>
		<ul class="ways">
			<li><a href="#/import"><${Icon} name="import" /><b>${t("household.web.begin.import")}</b><span class="soft small">${t("household.web.begin.import.say")}</span></a></li>
			<li><a href="#/subscriptions/add"><${Icon} name="add" /><b>${t("household.title.subscription_add")}</b><span class="soft small">${t("household.web.begin.add.say")}</span></a></li>
			<li><a href="#/connect"><${Icon} name="connect" /><b>${t("household.web.begin.connect")}</b><span class="soft small">${t("household.web.begin.connect.say")}</span></a></li>
		</ul>
	</section>`
}

