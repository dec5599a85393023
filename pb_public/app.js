// Begins: who is here, in which language, with which plugins; then the shell.
import { effect, html, render, signal } from "./lib/html.js"
import { get, pb, signOut } from "./lib/api.js"
import { about, ended, me, plugins, theme } from "./lib/store.js"
import { lang, loadTexts } from "./lib/i18n.js"
import { forget } from "./lib/keep.js"
import { relisten } from "./lib/live.js"
import { Shell } from "./parts/shell.js"
import SignIn from "./pages/signin.js"

const ready = signal(false)

effect(() => {
	if (theme.value) document.documentElement.dataset.theme = theme.value
	else delete document.documentElement.dataset.theme
})

async function begin() {
	const known = about.value || get("/").catch(() => null)
	if (pb.authStore.token && pb.authStore.isValid) await enter().catch(() => {})
	else pb.authStore.clear()
	about.value = (await known) || { plugins: [] }
	await loadTexts().catch(() => {})
	if (me.value) await loadPlugins()
	ready.value = true
}

// Who is in by the session of this device; without a network, who it last was.
async function enter() {
	try {
		me.value = await get("/me")
		const { token, record } = await pb.collection("users").authRefresh()
		pb.authStore.save(token, record)
	} catch (problem) {
		if (problem.kind === "offline" || problem.status === 0) {
			const r = pb.authStore.record
			me.value ??= { id: r.id, handle: r.handle, language: r.language, operator: false }
		} else if (problem.status === 401 || problem.status === 403) return signOut()
		else throw problem
	}
	await forget(me.value.id)
	relisten()
}

async function loadPlugins() {
	const loaded = await Promise.allSettled(about.value.plugins.map((p) => import(new URL(p.main, import.meta.url))))
	plugins.value = loaded.flatMap((r, i) => (r.status === "fulfilled" ? [{ name: about.value.plugins[i].name, ...r.value.default }] : []))
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

begin().then(() => {
	const root = document.getElementById("app")
	root.textContent = ""
	render(html`<${App} />`, root)
})

if ("serviceWorker" in navigator && !location.search.includes("worker=no")) navigator.serviceWorker.register("sw.js").catch(() => {})
