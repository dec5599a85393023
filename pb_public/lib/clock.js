// What time it is. The device's clock may be wrong by a day; the server's says when something expires.
import { computed } from "./html.js"
import { kept, me } from "./store.js"

const offset = kept("clock", 0) // milliseconds; kept for when there is no network
const least = 5000 // that a clock may be off: answers take their time, and their dates are whole seconds

/** The server's time, in milliseconds: to be used instead of Date.now() for whatever the server said. */
export const now = () => Date.now() + offset.value

/** The time zone in which times are told: that of the profile; undefined is the device's. */
export const zone = computed(() => {
	const timeZone = me.value?.time_zone || undefined
	try {
		new Intl.DateTimeFormat("en", { timeZone })
		return timeZone
	} catch {} // this browser does not know it
})

const face = computed(() => new Intl.DateTimeFormat("en", { timeZone: zone.value, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" }))

/** What the clocks of that zone show at a moment: YYYY-MM-DDThh:mm:ss. */
export function wall(at) {
	const p = Object.fromEntries(face.value.formatToParts(new Date(at)).map((p) => [p.type, p.value]))
	return p.year.padStart(4, "0") + "-" + p.month + "-" + p.day + "T" + p.hour + ":" + p.minute + ":" + p.second
}

/** The moment at which they show that, as a Date; an invalid one where there is none. */
export function unwall(shown) {
	const meant = Date.parse(shown + "Z")
	let at = new Date(meant)
	for (let i = 0; i < 2 && !Number.isNaN(meant); i++) at = new Date(at - (Date.parse(wall(at) + "Z") - meant)) // twice: the clocks may change in between
	return at
}

/** The day of a moment in that zone, YYYY-MM-DD. */
export const dayOf = (at) => wall(at).slice(0, 10)

/** The day it is there. */
export const today = () => dayOf(now())

/** Learns the server's time by an answer that was asked for at sent, a Date.now(). */
export function learn(response, sent) {
	const said = Date.parse(response.headers.get("Date"))
	if (Number.isNaN(said)) return
	const off = said + 500 - (sent + Date.now()) / 2
	if (Math.abs(off - offset.value) > least) offset.value = Math.abs(off) > least ? Math.round(off) : 0
}
