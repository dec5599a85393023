// What of the list is shown, and in which order. It stands in the address, so that it can be kept and sent.
import { Choice, go, html, Icon, t, Tick, useEffect, useRef, useState } from "../../kit.js"

const named = ["category", "payment_method", "owner", "tag", "search", "sort", "status"]

/** What the list is asked for by an address. */
export function argsOf(query) {
	const args = Object.fromEntries(named.filter((n) => query[n]).map((n) => [n, query[n]]))
	if (query.private) args.private = query.private === "yes"
	return args
}

export function Filter({ query, lists }) {
	const count = ["status", "category", "payment_method", "owner", "tag", "private"].filter((n) => query[n]).length
	const [open, set] = useState(count > 0)
	const put = (name, value) => go("/subscriptions", { ...query, [name]: value || undefined }, { replace: true })
	const choice = (name, label, choices) => html`<${Choice} label=${label} value=${query[name] || ""} choices=${choices} onChange=${(e) => put(name, e.target.value)} />`
	const any = ["", t("household.web.any")]
	const status = ["trial", "active", "paused", "cancelled", "ended"].map((s) => [s, t("household.status." + s)])
	return html`<div class="filter" role="search">
		<${Search} value=${query.search || ""} put=${(v) => put("search", v)} />
		<button class="chip" aria-expanded=${open} onClick=${() => set(!open)}><${Icon} name="filter" />${count ? t("household.web.filter.some", count) : t("household.web.filter")}</button>
		<label class="sort"><span class="unseen">${t("household.web.sort")}</span><select onChange=${(e) => put("sort", e.target.value)}>
			${[["", t("household.web.sort.name")], ["next", t("household.web.sort.next")], ["per_month", t("household.web.sort.cost")], ["newest", t("household.web.sort.newest")]].map(([v, l]) => html`<option value=${v} selected=${v === (query.sort || "")}>${l}</option>`)}
		</select></label>
	</div>
	${open && html`<div class="filters">
		${choice("status", t("household.web.status"), [["", t("household.web.status.current")], ...status, ["all", t("household.web.status.all")]])}
		${choice("category", t("household.web.category"), [any, ...lists.categories.map((c) => [c.id, c.name])])}
		${choice("payment_method", t("household.web.method"), [any, ...lists.methods.map((c) => [c.id, c.name])])}
		${choice("owner", t("household.web.owner"), [any, ...lists.members.map((m) => [m.id, m.handle])])}
		${choice("tag", t("household.web.tag"), [any, ...lists.tags.map((x) => [x.tag, x.tag])])}
		<${Tick} label=${t("household.web.private")} checked=${query.private === "yes"} onChange=${(e) => put("private", e.target.checked && "yes")} />
		${count > 0 && html`<button class="quiet" onClick=${() => go("/subscriptions", { search: query.search, sort: query.sort }, { replace: true })}>${t("household.web.filter.clear")}</button>`}
	</div>`}`
}

// What is typed is looked for when the fingers rest.
function Search({ value, put }) {
	const [text, set] = useState(value)
	const timer = useRef()
	const own = useRef(value) // what this field said last: what comes back is not put over what was typed since
	useEffect(() => {
		if (value !== own.current) set((own.current = value))
	}, [value])
	useEffect(() => () => clearTimeout(timer.current), [])
	const typed = (e) => {
		set(e.target.value)
		clearTimeout(timer.current)
		timer.current = setTimeout((v) => put((own.current = v.trim())), 250, e.target.value)
	}
	return html`<label class="search"><${Icon} name="search" /><span class="unseen">${t("household.web.search")}</span><input type="search" dir="auto" maxlength="120" placeholder=${t("household.web.search")} value=${text} onInput=${typed} /></label>`
}
