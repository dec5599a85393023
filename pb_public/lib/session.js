// How a session goes on while the page is open: it may end, or another tab may sign in or out.
import { effect } from "./html.js"
import { get, pb, signOut, token } from "./api.js"
import { ended, me, online } from "./store.js"
import { keep } from "./keep.js"
import { relisten } from "./live.js"

let looked = 0
const often = 4000 // asks whether a server that is out of reach is back

/** Asks whether the session still is one; what is to be done then api.js does. */
export function check() {
	if (!me.value || ended.value || Date.now() - looked < 2000) return
	looked = Date.now()
	get("/me").then((now) => me.value && now.id === me.value.id && (me.value = now), () => {})
}

/** Goes on with the session that the person has signed in to again. */
export function resume({ token, record }) {
	pb.authStore.save(token, record)
	ended.value?.done()
	ended.value = null
	relisten()
}

/** Looks whether the server is back as long as it is out of reach. Then all look anew. */
function watchReach() {
	let timer
	let off = false
	effect(() => {
		clearInterval(timer)
		if (!online.value) timer = setInterval(() => document.hidden || check(), often)
		else if (off) relisten()
		off = !online.value
	})
}

/** Follows the other tabs, and looks again when the page comes back; begin() is what a page begins with. */
export function follow(begin) {
	watchReach()
	effect(() => void (me.value && pb.authStore.token && keep(me.value.id, "me", me.value))) // who one is, for a start without a network
	let hidden = 0
	document.addEventListener("visibilitychange", () => {
		if (document.hidden) hidden = Date.now()
		else if (Date.now() - hidden > 60000) check()
		else token() // a page that slept heard nothing of the other tabs
	})
	addEventListener("pageshow", (e) => e.persisted && token())
	addEventListener("storage", (e) => {
		if (e.key !== null && e.key !== "nodkeep_auth") return
		const { token, record } = pb.authStore
		if (!token) return me.value && signOut()
		if (!me.value) return begin()
		if (record?.id !== me.value.id) return location.reload() // somebody else: nothing of the one before stays
		if (ended.value) resume({ token, record })
	})
}
