// What the pages about money share: all pages of a list, files to keep, small forms.
import { act, css, html, over, read, Sheet, t, Trouble, useRef, useState } from "../../kit.js"

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

/** Gives a person a file. */
export function save(name, media, text) {
	const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type: media })), download: name })
	document.body.append(a)
	a.click()
	a.remove()
	setTimeout(() => URL.revokeObjectURL(a.href), 60000)
}

// No spreadsheet runs a cell: where a formula could begin, there is a ' before it.
const safe = (s) => (/^['=+\-@\t\r]/.test(s) && !/^-\d+(\.\d+)?$/.test(s) ? "'" + s : s)

/** Writes rows as RFC 4180 has them, with the mark by which Excel knows UTF-8. */
export const csv = (rows) => "\ufeff" + rows.map((r) => r.map((c) => safe(String(c ?? ""))).map((c) => (/[",;\t\r\n]|^\s|\s$/.test(c) ? '"' + c.replaceAll('"', '""') + '"' : c)).join(",") + "\r\n").join("")

/** An amount as somebody types it, as the API wants it: 12,50 is 12.50. */
export const typed = (s) => (/^[^.]*,\d{1,3}$/.test(s.trim()) ? s.trim().replace(",", ".") : s.trim())

/**
 * Asks for something in a sheet and does it: children are the fields, request(form) what is done, a FormData given.
 * What was typed stays until it is done.
 */
export const form = (props) => over(Form, props)

function Form({ title, fields, request, options, label, done }) {
	const ref = useRef()
	const [state, say] = useState({})
	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const result = await act(request(new FormData(ref.current)), options)
			if (result) return done(result)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}
	return html`<${Sheet} title=${title} close=${() => done()} acts=${html`<button onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy} onClick=${() => ref.current.requestSubmit()}>${label || t("household.web.save")}</button>`}>
		<form ref=${ref} class="stack" onSubmit=${submit}>${fields}</form>
		${state.problem && html`<${Trouble} problem=${state.problem} />`}
	<//>`
}
