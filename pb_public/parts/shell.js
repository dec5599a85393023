// What stands around every page.
import { html, useEffect, useErrorBoundary, useRef, useState } from "../lib/html.js"
import { match, route } from "../lib/router.js"
import { knocking, me, online, plugins } from "../lib/store.js"
import { hear } from "../lib/live.js"
import { watchWaiting } from "../lib/waiting.js"
import { t } from "../lib/i18n.js"
import { core } from "../pages.js"
import { Over } from "../lib/over.js"
import { hearBudget } from "./near.js"
import { AskDoor } from "./ask_door.js"
import { hearRole } from "./role.js"
import { Nav } from "./nav.js"
import { Toasts } from "./toast.js"
import { Trouble } from "./state.js"

export function Shell() {
	useEffect(watchWaiting, [])
	useEffect(hearBudget, [])
	useEffect(hearRole, [])
	const operator = me.value?.operator
	useEffect(() => (operator ? hear(["nodkeep/waiting"], (_, event) => event && (knocking.value = event.waiting)) : void (knocking.value = 0)), [operator])
	return html`<a class="skip" href="#main" onClick=${(e) => (e.preventDefault(), document.getElementById("main").focus())}>${t("web.skip")}</a>
		<div class="shell">
			<${Nav} />
			<div>
				${!online.value && html`<p class="strip" role="status">${t("web.offline")}</p>`}
				<main id="main" class="page" tabindex="-1"><${Page} key=${route.value.path} path=${route.value.path} query=${route.value.query} /></main>
			</div>
		</div>
		<${AskDoor} /><${Over} /><${Toasts} />`
}

// The page of the address. Its module comes when it is first gone to.
function Page({ path, query }) {
	const [module, set] = useState()
	const [problem] = useErrorBoundary()
	const found = [...core, ...plugins.value.flatMap((p) => p.pages || [])].map((p) => ({ p, params: match(p.path, path) })).find((f) => f.params)
	const title = useRef()
	useEffect(() => {
		if (!found) return
		document.title = t(found.p.title) + " · Nodkeep"
		let here = true
		found.p.load().then(
			(m) => here && set(m),
			(err) => here && set({ err }),
		)
		return () => (here = false)
	}, [found?.p.path]) // a plugin's pages may come later than the address
	if (found?.p.operator && !me.value.operator) return html`<h1>${t("web.operator")}</h1><p class="note">${t("web.operator.only")}</p><p><a href="#/">${t("web.home")}</a></p>`
	if (!found) return html`<h1>${t("web.nowhere")}</h1><p><a href="#/">${t("web.home")}</a></p>`
	if (problem || module?.err) return html`<${Trouble} problem=${{}} retry=${() => location.reload()} />`
	return module ? html`<${module.default} params=${found.params} query=${query} />` : html`<p class="empty" aria-busy="true">${t("web.loading")}</p>`
}
