// Begins: who is here, in which language, with which plugins; then the shell.
import { effect, html, render, signal } from "./lib/html.js"
import { get, pb, post } from "./lib/api.js"
import { about, core, left, me, plugins, theme } from "./lib/store.js"
import { has, lang, loadTexts } from "./lib/i18n.js"
import { forget, recall } from "./lib/keep.js"
import { onCut, relisten } from "./lib/live.js"
import { check, follow } from "./lib/session.js"
import { keepScroll } from "./lib/scroll.js"
import { Shell } from "./parts/shell.js"
import { later } from "./lib/later.js"
import { all } from "./pages.js"

const ready = signal(false)
core.value = all
const SignIn = later(() => import("./pages/signin.js"))

effect(() => {
	if (theme.value) document.documentElement.dataset.theme = theme.value
	else delete document.documentElement.dataset.theme
})

async function begin(auth) {
	if (auth) pb.authStore.save(auth.token, auth.record)
	const known = about.value || get("/").catch(() => null)
	if (pb.authStore.token) await enter().catch(() => {})
	else pb.authStore.clear()
	about.value = (await known) || { plugins: [] }
	if (!(await known)) surely(() => get("/")).then((now) => ((about.value = now), me.value && loadPlugins()))
	await (has("web.home") ? loadTexts().catch(() => {}) : surely(loadTexts))
	if (me.value) await loadPlugins()
	ready.value = true
}

// What no page can do without is asked for until it comes.
const surely = (ask) => ask().catch(() => new Promise((go) => setTimeout(go, 2000)).then(() => surely(ask)))

// Who is in by the session of this device; without a network, who it last was.
async function enter() {
	try {
		me.value = await get("/me")
		refresh()
	} catch (problem) {
		// Only what the server says of the session ends it: one that is out of reach, or not well, says nothing of it.
		if (problem.status !== 401 && problem.status !== 403) {
			const r = pb.authStore.record
			me.value ??= (await recall(r.id, "me"))?.answer || { id: r.id, handle: r.handle, language: r.language, time_zone: r.time_zone, operator: false }
		} else {
			me.value = null
			pb.authStore.clear()
			left.value = problem.data?.text?.key?.startsWith("admit.") ? problem.message : ""
			return forget()
		}
	}
	await forget(me.value.id)
	relisten()
}

// A session that is used lasts. What another tab did to it meanwhile stands.
async function refresh() {
	const { token, record } = pb.authStore
	const fresh = await post("/api/collections/users/auth-refresh").catch(() => null)
	if (fresh?.token && pb.authStore.token === token) pb.authStore.save(fresh.token, fresh.record || record)
}

// One that does not come is asked for again: its pages come late then.
async function loadPlugins(wait = 2000) {
	const loaded = await Promise.allSettled(about.value.plugins.map((p) => import(new URL(p.main, import.meta.url))))
	plugins.value = loaded.flatMap((r, i) => (r.status === "fulfilled" ? [{ name: about.value.plugins[i].name, ...r.value.default }] : []))
	if (loaded.some((r) => r.status === "rejected")) setTimeout(loadPlugins, wait, 2 * wait)
}

// Another language is other sentences.
let shown = ""
effect(() => {
	const now = lang.value
	if (ready.value && shown && now !== shown) loadTexts().catch(() => {})
	shown = now
})

function App() {
	if (!ready.value) return html`<div class="boot" aria-busy="true"><b>Nodkeep</b></div>`
	return me.value ? html`<${Shell} />` : html`<${SignIn} after=${begin} />`
}

try {
	left.value = sessionStorage.getItem("nodkeep.left") || ""
	sessionStorage.removeItem("nodkeep.left")
} catch {}
keepScroll()
follow(begin)
onCut(check)

begin().then(() => {
	const root = document.getElementById("app")
	root.textContent = ""
	render(html`<${App} />`, root)
})

if ("serviceWorker" in navigator && !location.search.includes("worker=no")) import("./parts/update.js").then((m) => m.keepFiles(), () => {})
