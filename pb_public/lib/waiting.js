// What waits for a nod: how many, what of it is on the page already, and word of what is new.
import { get } from "./api.js"
import { signal } from "./html.js"
import { hear } from "./live.js"
import { waiting } from "./store.js"

const shown = signal([]) // ids, each as often as it is on the page

/** Says that a proposal is on the page, so that nobody is told of it twice. Gives the function that ends it. */
export function showing(id) {
	shown.value = [...shown.peek(), id]
	return () => (shown.value = shown.peek().toSpliced(shown.peek().indexOf(id), 1))
}

/** Says whether a proposal is on the page. */
export const isShown = (id) => shown.value.includes(id)

/** Agents all of whose proposals are being discarded here: what becomes of those was not decided elsewhere. */
export const discarding = new Set()

/** Counts what waits, and has news(), a module, tell of what is new. Gives the function that ends it. */
export function watchWaiting(news) {
	const count = () => get("/proposals/waiting").then((a) => (waiting.value = a.waiting)).catch(() => {})
	count()
	const soon = setTimeout(() => news().catch(() => {}), 1000) // a card is to be there at once: its module is fetched before it is needed
	const end = hear(["nodkeep/proposals"], (topic, event) => {
		count()
		if (event) news().then((m) => m.told(event)).catch(() => {})
	})
	return () => (clearTimeout(soon), end())
}
