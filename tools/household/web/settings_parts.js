// An export is one file, and comes and goes in parts: as the server takes them.

// In which order they come back, as what stands later names what stands before.
const order = ["categories", "payment_methods", "subscriptions", "prices", "pauses", "shares", "charges", "rates"]
const records = 1000, bytes = 800_000

/** Joins parts to the one object of a file. */
export function join(all) {
	const whole = {}
	for (const part of all) for (const [name, v] of Object.entries(part)) {
		if (Array.isArray(v)) (whole[name] ??= []).push(...v)
		else whole[name] ??= v
	}
	return whole
}

/** Cuts the content of a file into parts. Throws where it is no export. */
export function parts({ household: whole }) {
	const lists = Object.entries(whole).filter(([, v]) => Array.isArray(v))
	const alone = Object.fromEntries(Object.entries(whole).filter(([, v]) => !Array.isArray(v)))
	const place = ([name]) => (order.includes(name) ? order.indexOf(name) : order.length)
	const all = [alone]
	let n = 0, size = JSON.stringify(alone).length
	for (const [name, list] of lists.sort((a, b) => place(a) - place(b))) for (const one of list) {
		const length = new TextEncoder().encode(JSON.stringify(one)).length + 1
		if (n > 0 && (n >= records - 1 || size + length > bytes)) {
			all.push(whole.version === undefined ? {} : { version: whole.version })
			n = size = 0
		}
		;(all.at(-1)[name] ??= []).push(one)
		n++
		size += length
	}
	return all
}
