// The last lists that somebody saw, on their device, for when there is no network.
// They are one person's: another who signs in finds nothing of them.
import { now } from "./clock.js"

const open = (person) => (self.caches ? caches.open("lists-" + person) : Promise.resolve(null))
const key = (name) => new Request(new URL("/kept/" + encodeURIComponent(name), location.origin))

/** Keeps an answer. Nothing depends on it: a full disk is no problem of the page's. */
export async function keep(person, name, answer) {
	try {
		await (await open(person))?.put(key(name), new Response(JSON.stringify({ at: new Date(now()).toISOString(), answer })))
	} catch {}
}

/** Gives {at, answer}, or null. */
export async function recall(person, name) {
	try {
		return (await (await (await open(person))?.match(key(name)))?.json()) || null
	} catch {
		return null
	}
}

/** Forgets all lists of everybody, or of all but one person. */
export async function forget(but = "") {
	try {
		for (const name of await caches.keys()) if (name.startsWith("lists-") && name !== "lists-" + but) await caches.delete(name)
	} catch {} // where nothing may be kept, nothing is
}
