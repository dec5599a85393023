// The one way to the server.
import PocketBase, { LocalAuthStore } from "../third_party/pocketbase.js"
import { online, me, ended } from "./store.js"
import { lang, t } from "./i18n.js"
import { learn } from "./clock.js"
import { Problem } from "./problem.js"
import { keep, recall, forget } from "./keep.js"

const tried = (what) => {
	try {
		return what()
	} catch {}
}

// The session on this device. Where the browser keeps nothing, or has no room, it lasts as long as the page.
class Session extends LocalAuthStore {
	_storageGet(key) {
		return this.storageFallback[key] || tried(() => super._storageGet(key))
	}
	_storageSet(key, value) {
		delete this.storageFallback[key]
		if (tried(() => (super._storageSet(key, value), true))) return
		this._storageRemove(key) // what stood there is another
		this.storageFallback[key] = value
	}
	_storageRemove(key) {
		tried(() => super._storageRemove(key))
		delete this.storageFallback[key]
	}
	_bindStorageEvent() {
		tried(() => super._bindStorageEvent())
	}
}

/** PocketBase's SDK: the session, ways to sign in, realtime. All else asks through send. */
export const pb = new PocketBase(location.origin, new Session("nodkeep_auth"))
pb.autoCancellation(false)

const prefix = "/api/nodkeep"

/**
 * Asks the server; path is under /api/nodkeep. Gives the answer's JSON, or throws a Problem.
 * A session that has ended waits until the person has signed in again over the page, and asks once more.
 */
export async function send(method, path, { body, query, headers, signal, raw } = {}) {
	const used = await token()
	const response = await reach(method, path, { body, query, headers, signal, used })
	try {
		return await said(response, raw)
	} catch (problem) {
		if (problem.status !== 401 || !me.value || !used) throw problem
		if (problem.data.text?.key?.startsWith("admit.")) return signOut(problem.message) // suspended meanwhile
	}
	if (pb.authStore.token === used) await signedInAgain()
	return send(method, path, { body, query, headers, signal, raw })
}

/**
 * Gives the session to ask with. Another tab may have signed somebody out or in while this one slept: then
 * the page begins anew, and nothing that was asked here is done in their name.
 */
export async function token() {
	const { token, record } = pb.authStore
	if (!me.value || record?.id === me.value.id) return token
	if (!record) return signOut()
	location.reload()
	return new Promise(() => {}) // nothing goes on
}

async function reach(method, path, { body, query, headers = {}, signal, used }) {
	const address = (path.startsWith("/api/") ? "" : prefix) + path
	const url = new URL(address, location.origin)
	// An id out of an address of the page may be anything: one that would lead elsewhere is nobody's.
	if (url.pathname !== address) throw new Problem({ status: 404, kind: "not_found", text: t("web.nowhere.what") })
	for (const [name, value] of Object.entries(query || {})) {
		for (const v of [value].flat()) if (v !== undefined && v !== null && v !== "") url.searchParams.append(name, v)
	}
	const init = { method, signal, headers: { "Accept-Language": lang.value, ...headers } }
	if (used) init.headers.Authorization = used
	if (body instanceof FormData) init.body = body
	else if (body !== undefined) {
		init.body = JSON.stringify(body)
		init.headers["Content-Type"] = "application/json"
	}
	try {
		const sent = Date.now()
		const response = await fetch(url, init)
		learn(response, sent)
		return response
	} catch (err) {
		if (err.name === "AbortError") throw err
		online.value = false
		throw new Problem({ kind: "offline" })
	}
}

/** What the server says: the answer's JSON, with raw the response; or a Problem is thrown. An answer that breaks off is none. */
export async function said(response, raw) {
	let problem, answer = response
	try {
		if (!response.ok) problem = await Problem.of(response)
		else if (!raw) answer = await response.json()
	} catch (err) {
		if (err.name === "AbortError") throw err
		problem = new Problem({ kind: "offline" })
	}
	if (problem?.kind === "offline") online.value = false
	else if (response.headers.has("Date")) online.value = true // else it is what this device has kept
	if (problem) throw problem
	return answer
}

/** Waits for the person to sign in over the page. One wait serves all that is asked meanwhile. */
function signedInAgain() {
	if (!ended.value) {
		let done
		const promise = new Promise((resolve) => (done = resolve))
		ended.value = { promise, done }
	}
	return ended.value.promise
}

export const get = (path, query, options) => send("GET", path, { query, ...options })
export const post = (path, body = {}, options) => send("POST", path, { body, ...options })
export const del = (path, options) => send("DELETE", path, options)

/** Runs a read tool and gives its output. Offline it is the last one there was: then `old` is called with the time of it. */
export async function read(tool, args = {}, { signal, old } = {}) {
	return lasting("tool " + tool + " " + JSON.stringify(args), old, async () => (await post("/tools/" + tool, args, { signal })).output)
}

/** Gets a list, the last one there was where the server is out of reach. */
export async function list(path, query = {}, { signal, old } = {}) {
	return lasting("list " + path + " " + JSON.stringify(query), old, () => get(path, query, { signal }))
}

async function lasting(name, old, ask) {
	try {
		const answer = await ask()
		if (me.value && pb.authStore.token) keep(me.value.id, name, answer) // who has signed out meanwhile leaves nothing
		return answer
	} catch (err) {
		const last = err.kind === "offline" && me.value && (await recall(me.value.id, name))
		if (!last) throw err
		old?.(last.at)
		return last.answer
	}
}

/**
 * Ends the session on this device, and forgets what was kept of it: the page begins anew, so
 * that nothing of it stays in memory either. reason is said then; next is the session of
 * somebody else who has signed in.
 */
export async function signOut(reason = "", next) {
	if (leaving) return new Promise(() => {})
	leaving = true
	pb.authStore.clear()
	await forget()
	tried(() => {
		for (const key of Object.keys(localStorage)) if (key.startsWith("nodkeep.") && !ofDevice.includes(key)) localStorage.removeItem(key)
		sessionStorage.clear()
		if (reason) sessionStorage.setItem("nodkeep.left", reason)
	})
	if (next) pb.authStore.save(next.token, next.record)
	history.replaceState(null, "", location.pathname + location.search)
	location.reload()
	return new Promise(() => {}) // nothing goes on
}

let leaving = false
const ofDevice = ["nodkeep.theme", "nodkeep.language", "nodkeep.clock"]
