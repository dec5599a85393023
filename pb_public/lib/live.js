// What the server says by itself: proposals, and records that changed.
import { pb } from "./api.js"
import { me } from "./store.js"

const heard = new Set() // {topics, tell}
let subscribed = new Map() // topic -> unsubscribe

/**
 * Tells of what happens to topics: names of collections, or of the server's own topics.
 * Gives the function that ends it.
 */
export function hear(topics, tell) {
	const one = { topics, tell }
	heard.add(one)
	subscribe(topics)
	return () => heard.delete(one)
}

function subscribe(topics) {
	if (!me.value) return
	const fresh = topics.filter((topic) => !subscribed.has(topic))
	for (const topic of fresh) {
		const full = topic.includes("/") ? topic : topic + "/*"
		const told = (event) => [...heard].filter((h) => h.topics.includes(topic)).forEach((h) => h.tell(topic, event))
		subscribed.set(topic, pb.realtime.subscribe(full, told).catch((err) => (subscribed.delete(topic), err.status || later())))
	}
	// Who looked before the server listened has missed what happened in between: they look anew.
	if (fresh.length) Promise.all(fresh.map((topic) => subscribed.get(topic))).then(() => anew((h) => h.topics.some((topic) => fresh.includes(topic))))
}

const anew = (who) => [...heard].filter(who).forEach((h) => h.tell("", null))

// A connection that could never be made is not tried again by itself, as one that was cut is.
let failed
function later() {
	clearTimeout(failed)
	failed = setTimeout(relisten, 15000)
}
addEventListener("online", () => failed && relisten())

const cuts = new Set()

/** Tells when the connection was cut: the session may have ended with it. */
export const onCut = (tell) => cuts.add(tell)

/** Begins anew for whoever has signed in now. */
export function relisten() {
	failed = clearTimeout(failed)
	pb.realtime.unsubscribe().catch(() => {})
	subscribed = new Map()
	if (!me.value) return
	for (const h of heard) subscribe(h.topics)
	let cut = false // whoever was cut off has missed what happened meanwhile: all look anew
	pb.realtime.onDisconnect = () => {
		cut = true
		cuts.forEach((tell) => tell())
	}
	pb.realtime
		.subscribe("PB_CONNECT", () => {
			if (cut) anew(() => true)
			cut = false
		})
		.catch(() => {})
}
