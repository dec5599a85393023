// What time it is. The device's clock may be wrong by a day; the server's says when something expires.
import { kept } from "./store.js"

const offset = kept("clock", 0) // milliseconds; kept for when there is no network
const least = 5000 // that a clock may be off: answers take their time, and their dates are whole seconds

/** The server's time, in milliseconds: to be used instead of Date.now() for whatever the server said. */
export const now = () => Date.now() + offset.value

/** The day it is where the device is, YYYY-MM-DD. */
export function today() {
	const d = new Date(now())
	return [String(d.getFullYear()).padStart(4, "0"), String(d.getMonth() + 1).padStart(2, "0"), String(d.getDate()).padStart(2, "0")].join("-")
}

/** Learns the server's time by an answer that was asked for at sent, a Date.now(). */
export function learn(response, sent) {
	const said = Date.parse(response.headers.get("Date"))
	if (Number.isNaN(said)) return
	const off = said + 500 - (sent + Date.now()) / 2
	if (Math.abs(off - offset.value) > least) offset.value = Math.abs(off) > least ? Math.round(off) : 0
}
