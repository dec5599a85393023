// A review that is under way outlives a reload of the page: it is kept in this tab, for whoever began it.
const name = "nodkeep.household.import"

/** Keeps a review with its ticks and edits; false where something would be lost with the page. */
export function keep(work) {
	const { person, review, chosen, edits } = work
	try {
		if (!review || work.done) sessionStorage.removeItem(name)
		else if (review.questions.length) throw new RangeError("the file itself is needed") // which no tab keeps
		else sessionStorage.setItem(name, JSON.stringify({ person, review, chosen: chosen && [...chosen], edits }))
		return !!work.done || (!work.busy && (!!review || !work.text))
	} catch {
		try {
			sessionStorage.removeItem(name)
		} catch {} // this browser keeps nothing
		return false
	}
}

/** What was kept for a person; what was another's is thrown away. */
export function recall(person) {
	try {
		const { chosen, ...work } = JSON.parse(sessionStorage.getItem(name)) || {}
		if (work.person === person) return { ...work, chosen: chosen && new Set(chosen) }
		sessionStorage.removeItem(name)
	} catch {}
	return {}
}
