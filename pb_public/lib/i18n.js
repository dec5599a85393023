// Sentences from the server's catalogue, and numbers as the reader's language writes them.
import { computed, signal } from "./html.js"
import { me, wish } from "./store.js"
import { now, zone } from "./clock.js"

const known = ["en", "de", "es"]

/** The language of the page: the profile's, else what was chosen here, else the browser's. */
export const lang = computed(() => {
	const wishes = [me.value?.language, wish.value, ...navigator.languages]
	return wishes.map((w) => (w || "").slice(0, 2).toLowerCase()).find((w) => known.includes(w)) || "en"
})

const texts = signal({})

/** Loads the sentences of the page's language. Where it cannot, those that there are stay. */
export async function loadTexts() {
	const response = await fetch(new URL("/api/nodkeep/texts/" + lang.value + "?for=web", location.origin))
	if (!response.ok) throw new Error("texts: " + response.status)
	texts.value = await response.json()
	document.documentElement.lang = lang.value
}

/**
 * Says a key of the catalogue. {0}, {1} … are filled with args; of a sentence with
 * a plural, the first argument that is a number decides.
 */
export function t(key, ...args) {
	let form = texts.value[key]
	if (form === undefined) return key
	if (typeof form === "object") {
		const n = args.find((a) => typeof a === "number")
		form = n !== undefined && format(Intl.PluralRules).select(n) === "one" ? form.one : form.other
	}
	return form.replace(/\{(\d+)\}/g, (whole, n) => {
		const value = args[n]
		return value === undefined ? whole : typeof value === "number" ? number(value) : String(value)
	})
}

/** Says whether the catalogue has a key. */
export const has = (key) => texts.value[key] !== undefined

const made = new Map()

// Making a formatter takes longer than using it.
function format(Kind, options = {}) {
	const name = Kind.name + lang.value + JSON.stringify(options)
	const en = Kind === Intl.DateTimeFormat ? "en-GB" : "en" // the server's sentences begin dates with the day
	if (!made.has(name)) made.set(name, new Kind(lang.value === "en" ? en : lang.value, options))
	return made.get(name)
}

export const number = (n, options = {}) => format(Intl.NumberFormat, options).format(n)

/** An amount, a decimal string, in its currency. A string is formatted digit by digit, never by way of a float. */
export function money(amount, currency, options = {}) {
	if (amount === undefined || amount === null || amount === "") return ""
	if (!currency) return number(amount)
	try {
		return format(Intl.NumberFormat, { style: "currency", currency, ...options }).format(amount)
	} catch {
		return amount + " " + currency
	}
}

/** A date with its year, in the order of the server's sentences. */
export const dated = { day: "numeric", month: "short", year: "numeric" }

/** A day, YYYY-MM-DD, which has no time zone. */
export function day(date, options = dated) {
	if (!date) return ""
	return format(Intl.DateTimeFormat, { timeZone: "UTC", ...options }).format(new Date(date + "T00:00:00Z"))
}

/** A month, YYYY-MM. */
export const month = (m, options = { month: "long", year: "numeric" }) => day(m + "-01", options)

/** A moment, RFC 3339, by the clock of the profile's time zone, else the device's. */
export function moment(at, options = { ...dated, hour: "2-digit", minute: "2-digit" }) {
	return at ? format(Intl.DateTimeFormat, { timeZone: zone.value, ...options }).format(new Date(at)) : ""
}

/** How long ago, or until, a moment is, in words; by the server's clock. */
export function ago(at, from = now()) {
	const seconds = (new Date(at).getTime() - from) / 1000
	const steps = [["day", 86400], ["hour", 3600], ["minute", 60]]
	const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) || ["second", 1]
	return format(Intl.RelativeTimeFormat, { numeric: "auto" }).format(Math.round(seconds / size), unit)
}

/** A list in words: "Ana, Ben and Cleo". */
export const several = (names) => format(Intl.ListFormat, { type: "conjunction" }).format(names)
