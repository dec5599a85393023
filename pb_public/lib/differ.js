// What is different between what was shown and what would happen now.

const key = (c) => c.op + " " + c.collection + " " + (c.op === "create" ? "" : c.id) // the ids of new records are others each time

/**
 * Compares two lists of changes. Gives [{change, was, now}]: was and now are lists of
 * {name, label, before, after}, of the fields that differ only; null where one of the
 * two has no such change at all.
 */
export function differ(was, now) {
	const left = new Map()
	for (const c of was) left.set(key(c), [...(left.get(key(c)) || []), c])
	const out = []
	for (const c of now) {
		const like = left.get(key(c)) || []
		const at = Math.max(0, like.findIndex((w) => w.label === c.label))
		const [w] = like.splice(at, 1)
		if (!w) out.push({ change: c, was: null, now: c.fields })
		else {
			const fields = apart(w.fields, c.fields)
			if (fields.length || w.label !== c.label) out.push({ change: c, called: w.label !== c.label ? w.label : "", was: fields.map((f) => f.was), now: fields.map((f) => f.now) })
		}
	}
	for (const like of left.values()) for (const c of like) out.push({ change: c, was: c.fields, now: null })
	return out
}

function apart(was, now) {
	const names = [...new Set([...was, ...now].map((f) => f.name))]
	return names
		.map((name) => ({ was: was.find((f) => f.name === name) || null, now: now.find((f) => f.name === name) || null }))
		.filter(({ was, now }) => !was || !now || was.before !== now.before || was.after !== now.after)
}

/** All changes of the items of a proposal. */
export const changesOf = (items) => items.flatMap((i) => i.changes || [])
