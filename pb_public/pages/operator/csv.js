// Figures as a file for spreadsheets.
import { csv } from "../../lib/file.js"
import { decimal } from "../../lib/micros.js"

const columns = ["period", "account", "assistant", "requests", "unpriced", "input_uncached", "cache_read", "cache_write", "output", "cost", "currency"]

/** Rows of figures as CSV: amounts are decimals with a point, as in the API. */
export function sheet(items) {
	const rows = items.map((u) => [u.day || u.month, u.handle || u.person, u.assistant, u.requests, u.unpriced, u.input_uncached, u.cache_read, u.cache_write, u.output, decimal(u.cost_micros), u.currency])
	return csv([columns, ...rows])
}
