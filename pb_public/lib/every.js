// All of a list that is needed whole, as for what stands beside each name of another list.
import { list } from "./api.js"

const most = 1000 // pages of 200: no list of an instance is as long, and none is asked for without end

/** Gives all items of an endpoint that answers {items, next}, and what else stands in its first answer. */
export async function every(path, query = {}, options = {}) {
	let first, items = [], cursor = ""
	for (let n = 0; n < most; n++) {
		const page = await list(path, { limit: 200, ...query, cursor }, options)
		first ??= page
		items = items.concat(page.items)
		if (!(cursor = page.next)) break
	}
	return { ...first, items, next: cursor }
}
