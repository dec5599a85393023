// What is always there of the panel: its door. The rest comes when somebody asks.
import { effect, html, signal } from "../lib/html.js"
import { ask, asking, me } from "../lib/store.js"
import { route } from "../lib/router.js"
import { t } from "../lib/i18n.js"
import { say } from "./toast.js"

const panel = signal(null)

const load = () => import("./ask_panel.js")

/** Fetches the panel before it is needed: somebody is about to ask. */
export const warm = () => void load().catch(() => {})

// Loads the panel with the first question. On the page of the talk there is none.
effect(() => {
	if (!asking.value || panel.value) return
	load().then(
		(m) => (panel.value = m.Panel),
		() => ((asking.value = null), say(t("web.offline.need"), { bad: true })),
	)
})

/** The panel where it is open; once in the shell. */
export function AskDoor() {
	const here = asking.value && me.value && panel.value && route.value.path !== "/ask"
	return here ? html`<${panel.value} />` : null
}

/** Opens the panel, or where that is open, closes it. On the page of the talk it does nothing. */
export const door = () => (asking.value ? (asking.value = null) : ask())
