// What the whole front end knows, as signals. A page keeps its own state itself.
import { computed, signal } from "./html.js"

/** Who is signed in: {id, handle, language, time_zone, operator}; null where nobody is. */
export const me = signal(null)

/** What the server says before anybody has signed in; see GET /api/nodkeep/. */
export const about = signal(null)

/** Whether the server was reached by the last request. */
export const online = signal(true)

/** How many proposals wait for a nod. */
export const waiting = signal(0)

/** How many people wait to be let in, for operators. */
export const knocking = signal(0)

/** What went wrong with the session while somebody was at work: then they sign in over the page. */
export const ended = signal(null)

/** Why the person was signed out, where it was not they who did: a sentence. */
export const left = signal("")

/** What plugins bring, as their modules say: {name, pages, home, collections}. */
export const plugins = signal([])

/** The pages that the front end has itself, as pages.js says. */
export const core = signal([])

/** All pages there are, those of plugins too. */
export const pages = computed(() => [...core.value, ...plugins.value.flatMap((p) => p.pages || [])])

/** Those of them that stand in the navigation of who is here, in order. */
export const entries = computed(() => pages.value.filter((p) => p.nav && (!p.operator || me.value?.operator)).sort((a, b) => a.nav.order - b.nav.order))

/** Keeps a choice on this device: the theme, what was folded. Where the browser keeps nothing, it lasts as long as the page. */
export function kept(name, fallback) {
	const key = "nodkeep." + name
	let value = fallback
	try {
		value = JSON.parse(localStorage.getItem(key)) ?? fallback
	} catch {}
	const s = signal(value)
	s.subscribe((v) => {
		try {
			localStorage.setItem(key, JSON.stringify(v))
		} catch {}
	})
	return s
}

/** light, dark, or "" as the device has it. */
export const theme = kept("theme", "")

/** The language that was chosen before anybody signed in; "" is the browser's. */
export const wish = kept("language", "")

/** What is asked from anywhere: {text, send, n}; null while the panel is closed. */
export const asking = signal(null)

/** Opens the panel with a text; with send it is asked at once. */
export const ask = (text = "", { send = false } = {}) => (asking.value = { text, send, n: Math.random() })

/** The records that are ticked on the page, for questions about just these: [{collection, id, label}]. A page empties it when it goes. */
export const ticked = signal([])

/** The record that the page is about: {collection, id, label}, or null. A page takes it back when it goes. */
export const record = signal(null)
