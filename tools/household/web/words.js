// How the household's pages say what stands in its records: cycles, lengths, sums, marks.
import { css, day, html, Icon, list, money, read, t, useData } from "../../kit.js"

await css(new URL("./house.css", import.meta.url))

// What changes a subscription as it is shown.
const below = ["household_subscriptions", "household_charges", "household_prices", "household_pauses", "household_shares"]
export { below }

const parse = (s) => /^P(\d+)([DWMY])$/.exec(s || "") || []

/** A cycle in words: "every 4 weeks". */
export function every(cycle) {
	const [, n, unit] = parse(cycle)
	if (unit === "W") return t("household.every.weeks", Number(n))
	if (unit === "Y") return t("household.every.years", Number(n))
	return unit === "M" ? t("household.every.months", Number(n)) : cycle || ""
}

/** A length in words: "3 months". */
export function long(length) {
	const [, n, unit] = parse(length)
	if (unit === "D") return t("household.web.days", Number(n))
	if (unit === "W") return t("household.web.weeks", Number(n))
	if (unit === "Y") return t("household.web.years", Number(n))
	return unit === "M" ? t("household.web.months", Number(n)) : length || ""
}

/** What one charge costs and how often: "15.99 € every month". */
export const price = (s) => money(s.amount, s.currency) + " " + every(s.cycle)

/** A day as it is said beside others: with its year only where that is another. */
export const near = (date, today) => (date ? day(date, date.slice(0, 4) === (today || "").slice(0, 4) ? { day: "numeric", month: "short" } : undefined) : "")

/** a + b·sign of decimals, digit by digit: amounts never become floats. */
export function plus(a, b, sign = 1n) {
	const places = Math.max(...[a, b].map((x) => (x.split(".")[1] || "").length))
	const whole = (x) => {
		const [i, f = ""] = x.replace("-", "").split(".")
		return BigInt(i + f.padEnd(places, "0")) * (x.startsWith("-") ? -1n : 1n)
	}
	const sum = whole(a) + sign * whole(b)
	const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0")
	return (sum < 0n ? "-" : "") + (places ? digits.slice(0, -places) + "." + digits.slice(-places) : digits)
}

/** Sums by currency of things with an amount: [[currency, amount]]. */
export function sums(items) {
	const by = new Map()
	for (const i of items) by.set(i.currency, by.has(i.currency) ? plus(by.get(i.currency), i.amount) : i.amount)
	return [...by]
}

/** An amount as people write it, with a comma or a point, as the server takes it. */
export function decimal(s) {
	const bare = String(s ?? "").replace(/[\s'’]/g, "")
	const last = Math.max(bare.lastIndexOf(","), bare.lastIndexOf("."))
	if (last < 0) return bare
	const whole = bare.slice(0, last)
	return (/[.,]/.test(whole) ? whole.replace(/[.,]/g, "") : whole) + "." + bare.slice(last + 1)
}

/** Reads all pages of a list. */
export async function whole(tool, args, options) {
	const items = []
	for (let cursor = ""; ; ) {
		const page = await read(tool, { ...args, limit: 200, ...(cursor && { cursor }) }, options)
		items.push(...page.items)
		if (!(cursor = page.next)) return items
	}
}

/** Everything that a subscription can be given: categories, payment methods, tags, members. */
export function useLists() {
	const all = useData(
		async (o) => {
			const [categories, methods, tags, people] = await Promise.all([
				whole("household_category_list", {}, o),
				whole("household_payment_method_list", {}, o),
				whole("household_tag_list", {}, o),
				list("/api/collections/users/records", { perPage: 200, sort: "handle", fields: "id,handle,name" }, o),
			])
			return { categories, methods, tags, members: people.items }
		},
		[],
		{ watch: ["household_categories", "household_payment_methods"] },
	)
	return { categories: [], methods: [], tags: [], members: [], ...all.data, known: !!all.data, reload: all.reload }
}

/** The picture of a subscription, else its first letter, in the colour of its category. */
export function Mark({ id, name, logo, color }) {
	const first = [...(name || "").trim()][0] || "·"
	const tone = color ? { "--tone": color } : undefined
	return html`<span class="mark" style=${tone} aria-hidden="true">
		${logo ? html`<img src=${"/api/files/household_subscriptions/" + encodeURIComponent(id) + "/" + encodeURIComponent(logo)} alt="" loading="lazy" width="36" height="36" />` : first.toLocaleUpperCase()}
	</span>`
}

const tones = { trial: "warn", paused: "warn", cancelled: "bad" }

/** The state of a subscription; an active one needs none. */
export const Status = ({ status }) => html`<span class=${"chip " + (tones[status] || (status === "active" ? "good" : ""))}>${t("household.status." + status)}</span>`

/** Marks what only its owner sees. */
export const Hidden = () => html`<span class="hidden-mark"><${Icon} name="lock" /><span class="unseen">${t("household.web.private.mark")}</span></span>`

/** Which field of a form a problem is about, and what it says there. */
export function faultOf(problem, names) {
	const search = (text) => {
		if (!text || typeof text !== "object") return undefined
		for (const a of text.args || []) {
			const deep = search(a)
			if (deep) return deep
		}
		const name = text.key !== "household.error.about" && (text.args || []).find((a) => names.includes(a))
		return name && { name, text: text.text }
	}
	const found = search(problem?.data?.text)
	return found && { name: found.name, text: found.text.replace(new RegExp("^" + found.name + ": "), "") }
}
