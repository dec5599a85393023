// Says once that four fifths of a limit are spent.
import { hear } from "../lib/live.js"
import { say } from "./toast.js"

/** Listens; gives the function that ends it. */
export function hearBudget() {
	const said = new Set()
	return hear(["nodkeep/budget"], (topic, e) => {
		const name = e && [e.which, e.own, e.resets].join()
		if (!e?.text || said.has(name)) return
		said.add(name)
		say(e.text.text)
	})
}
