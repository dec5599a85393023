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
	for (const topic of topics) {
		if (subscribed.has(topic)) continue
		const full = topic.includes("/") ? topic : topic + "/*"
		const told = (event) => [...heard].filter((h) => h.topics.includes(topic)).forEach((h) => h.tell(topic, event))
		subscribed.set(topic, pb.realtime.subscribe(full, told).catch((err) => (subscribed.delete(topic), err.status || later())))
	}
}

// A connection that could never be made is not tried again by itself, as one that was cut is.
let failed
function later() {
	clearTimeout(failed)
	failed = setTimeout(relisten, 15000, true)
}
addEventListener("online", () => failed && relisten(true))

const cuts = new Set()

/** Tells when the connection was cut: the session may have ended with it. */
export const onCut = (tell) => cuts.add(tell)

/** Begins anew for whoever has signed in now; missed says that something may have happened meanwhile. */
export function relisten(missed = false) {
	failed = clearTimeout(failed)
	pb.realtime.unsubscribe().catch(() => {})
	subscribed = new Map()
	if (!me.value) return
	for (const h of heard) subscribe(h.topics)
	let cut = missed // whoever was cut off has missed what happened meanwhile: all look anew
	pb.realtime.onDisconnect = () => {
		cut = true
		cuts.forEach((tell) => tell())
	}
	pb.realtime
		.subscribe("PB_CONNECT", () => {
			if (cut) for (const h of heard) h.tell("", null)
			cut = false
		})
		.catch(() => {})
}
