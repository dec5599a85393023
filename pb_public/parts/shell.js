// What stands around every page.
import { html, useEffect, useErrorBoundary, useState } from "../lib/html.js"
import { match, route } from "../lib/router.js"
import { ended, knocking, me, online, pages } from "../lib/store.js"
import { hear } from "../lib/live.js"
import { watchWaiting } from "../lib/waiting.js"
import { has, t } from "../lib/i18n.js"
import { Over } from "../lib/over.js"
import { hearBudget } from "./near.js"
import { AskDoor } from "./ask_door.js"
import { hearRole } from "./role.js"
import { Icon } from "./icon.js"
import { keys, openPalette } from "./keys.js"
import { Nav } from "./nav.js"
import { say, Toasts } from "./toast.js"
import { Trouble } from "./state.js"

export function Shell() {
	useEffect(() => watchWaiting(() => import("./news.js")), [])
	useEffect(() => {
		addEventListener("keydown", keys)
		return () => removeEventListener("keydown", keys)
	}, [])
	useEffect(() => {
		addEventListener("unhandledrejection", unfetched)
		return () => removeEventListener("unhandledrejection", unfetched)
	}, [])
	useEffect(hearBudget, [])
	useEffect(hearRole, [])
	const operator = me.value?.operator
	useEffect(() => (operator ? hear(["nodkeep/waiting"], (_, event) => event && (knocking.value = event.waiting)) : void (knocking.value = 0)), [operator])
	return html`<a class="skip" href="#main" onClick=${(e) => (e.preventDefault(), document.getElementById("main").focus())}>${t("web.skip")}</a>
		<div class="shell">
			<${Nav} />
			<div>
				<header class="top"><a class="brand" href="#/">Nodkeep</a><button class="quiet" onClick=${openPalette}><${Icon} name="search" /><span class="unseen">${t("web.palette")}</span></button></header>
				${!online.value && html`<p class="strip" role="status">${t("web.offline")}</p>`}
				<main id="main" class="page" tabindex="-1"><${Page} key=${route.value.path} path=${route.value.path} query=${route.value.query} /></main>
			</div>
		</div>
		<${AskDoor} /><${Over} broken=${() => say(t("web.trouble"), { bad: true })} /><${Toasts} />
		${ended.value && html`<${Again} />`}`
}

// What asks to sign in again comes only when it is needed.
function Again() {
	const [module, set] = useState()
	useEffect(() => void import("./again.js").then(set, () => location.reload()), [])
	return module && html`<${module.default} />`
}

// What a press wants comes with it: where it does not come, that is said.
const unfetched = (e) => e.reason instanceof TypeError && /import/i.test(e.reason.message) && (e.preventDefault(), say(t("web.offline.need"), { bad: true }))

let first = true

// The page of the address. Its module comes when it is first gone to.
function Page({ path, query }) {
	const [module, set] = useState()
	const [problem] = useErrorBoundary()
	const found = pages.value.map((p) => ({ p, params: match(p.path, path) })).find((f) => f.params)
	const nowhere = !found || (found.p.operator && !me.value.operator)
	useEffect(() => {
		document.title = (nowhere ? t("web.nowhere") : has(found.p.title) ? t(found.p.title) : found.p.title) + " · Nodkeep"
		let here = true
		if (!nowhere) found.p.load().then((m) => here && set(m), (err) => here && set({ err }))
		return () => (here = false)
	}, [found?.p.path]) // a plugin's pages may come later than the address
	// Who comes to a page by a link hears its heading, and goes on from there.
	useEffect(() => {
		if (!module && !nowhere) return
		if (!first) arrive()
		first = false
	}, [module])
	if (found && nowhere) return html`<header><h1>${t("web.operator")}</h1></header><p class="note">${t("web.operator.only")}</p><p><a class="button" href="#/">${t("web.home")}</a></p>`
	if (nowhere) return html`<header><h1>${t("web.nowhere")}</h1></header><p>${t("web.nowhere.what")}</p><p><a class="button" href="#/">${t("web.home")}</a></p>`
	if (problem || module?.err) return html`<header><h1>${t("web.trouble.page")}</h1></header><${Trouble} problem=${{}} retry=${() => location.reload()} />`
	return module ? html`<${module.default} params=${found.params} query=${query} />` : html`<p class="empty" aria-busy="true">${t("web.loading")}</p>`
}

function arrive() {
	const main = document.getElementById("main")
	if (!main || main.contains(document.activeElement) && document.activeElement !== main || document.querySelector("dialog[open]")) return
	const heading = main.querySelector("h1")
	if (heading) heading.tabIndex = -1
	;(heading || main).focus({ preventScroll: true })
}
