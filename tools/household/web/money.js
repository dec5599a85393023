// What the pages about money share: all pages of a list, files to keep.
import { css, read, useRef } from "../../kit.js"

await css(new URL("./money.css", import.meta.url))

/** What spending depends on. */
export const spent = ["household_subscriptions", "household_charges", "household_prices", "household_pauses", "household_shares", "household_rates"]

/** What useData gives, with what was there before until what is asked for now is: nothing jumps, and the focus stays. */
export function useSteady(found) {
	const last = useRef()
	if (found.data !== undefined) last.current = found
	return found.data === undefined && !found.problem && last.current ? { ...last.current, loading: true } : found
}

/** Reads pages of a list, most of them at most; next of what it gives says that there is more. */
export async function pages(tool, args, options, most = 5, list = "items") {
	let whole
	for (let cursor = "", n = 0; n < most; n++) {
		const page = await read(tool, { ...args, limit: 200, ...(cursor && { cursor }) }, options)
		if (whole) whole[list].push(...page[list]), (whole.next = page.next)
		else whole = { ...page, [list]: [...(page[list] || [])] }
		if (!(cursor = page.next)) break
	}
	return whole
}
