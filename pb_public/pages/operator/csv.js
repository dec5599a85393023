// Figures as a file for spreadsheets.
import { decimal } from "../../lib/micros.js"

const columns = ["period", "account", "assistant", "requests", "unpriced", "input_uncached", "cache_read", "cache_write", "output", "cost", "currency"]

/** Rows of figures as CSV: amounts are decimals with a point, as in the API. */
export function sheet(items) {
	const rows = items.map((u) => [u.day || u.month, u.handle || u.person, u.assistant, u.requests, u.unpriced, u.input_uncached, u.cache_read, u.cache_write, u.output, decimal(u.cost_micros), u.currency])
	return [columns, ...rows].map((r) => r.map(cell).join(",")).join("\r\n") + "\r\n"
}

// What begins like a formula would be one to a spreadsheet.
function cell(v) {
	const s = /^[=+\-@\t\r]/.test(String(v)) && typeof v !== "number" ? "'" + v : String(v)
	return /[",\r\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s
}

/** Hands a text to the person as a file. */
export function save(text, name) {
	const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }))
	const link = Object.assign(document.createElement("a"), { href: url, download: name })
	link.click()
	setTimeout(() => URL.revokeObjectURL(url), 10000)
}
