// How a session goes on while the page is open: it may end, or another tab may sign in or out.
import { get, pb, signOut } from "./api.js"
import { ended, me } from "./store.js"
import { relisten } from "./live.js"

let looked = 0

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

/** Follows the other tabs, and looks again when the page comes back; begin() is what a page begins with. */
export function follow(begin) {
	let hidden = 0
	document.addEventListener("visibilitychange", () => {
		if (document.hidden) hidden = Date.now()
		else if (Date.now() - hidden > 60000) check()
	})
	addEventListener("storage", (e) => {
		if (e.key !== null && e.key !== "nodkeep_auth") return
		const { token, record } = pb.authStore
		if (!token) return me.value && signOut()
		if (!me.value) return begin()
		if (record?.id !== me.value.id) return location.reload() // somebody else: nothing of the one before stays
		if (ended.value) resume({ token, record })
	})
}
