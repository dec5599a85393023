// One-time links: made, shown once, revoked.
import { over } from "../../lib/over.js"
import { tryAct } from "../../parts/act.js"
import { Once } from "../../parts/once.js"

/** Where a link leads that the server gave: it may be a path, where the instance does not know its address. */
const whole = (link) => new URL(link, location.origin).href

/** Makes a link and shows it, once. Gives whether there is a new one. */
export async function giveLink(path, body, title, about) {
	const made = await tryAct({ path, body }, { quiet: true })
	if (!made) return false
	await over(Once, { title, about, secret: made.output.link && whole(made.output.link), url: true, expires: made.output.expires })
	return true
}
