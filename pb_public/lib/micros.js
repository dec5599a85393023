// Money of models: whole millionths of a currency, which no float ever touches.
import { money } from "./i18n.js"

/** Millionths as a decimal string: 1200 is "0.0012". */
export function decimal(micros) {
	const n = BigInt(micros), size = n < 0n ? -n : n
	return (n < 0n ? "-" : "") + size / 1000000n + "." + String(size % 1000000n).padStart(6, "0")
}

/** Millionths in their currency, to the last place that says something. */
export const micros = (n, currency) => (n === undefined || n === null ? "" : fine(decimal(n), currency))

/** A decimal string in its currency, with up to six places. */
export const fine = (amount, currency) => money(amount, currency, { minimumFractionDigits: 2, maximumFractionDigits: 6 })
