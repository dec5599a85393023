// The files on the device, and how another version of them takes over: whole, and never under somebody's fingers.
import { get } from "../lib/api.js"
import { loadTexts, t } from "../lib/i18n.js"
import { say } from "./toast.js"

const often = 3600000 // looks for another version at most so often

/** Begins; called once the page stands. */
export async function keepFiles() {
	let had = !!navigator.serviceWorker.controller
	const began = Date.now()
	let told = false
	// The first one keeps what all pages begin with once it is asked for by way of it.
	navigator.serviceWorker.addEventListener("controllerchange", () => {
		if (had) return location.reload()
		had = true
		Promise.all([loadTexts(), get("/")]).catch(() => {})
	})
	const own = await navigator.serviceWorker.register("sw.js").catch(() => null)
	if (!own) return
	const take = () => own.waiting?.postMessage("take over")
	// Whoever has just come and touched nothing yet gets the new one at once.
	const come = () => {
		if (!own.waiting || !had || told) return
		if (Date.now() - began < 20000 && !navigator.userActivation?.hasBeenActive && !document.activeElement?.matches("input, textarea, select")) return take()
		told = true
		say(t("web.update"), { lasts: true, act: { label: t("web.update.load"), run: take } })
	}
	come()
	own.addEventListener("updatefound", () => own.installing?.addEventListener("statechange", come))
	if (had) own.update().catch(() => {})
	let looked = began
	document.addEventListener("visibilitychange", () => {
		if (document.hidden || Date.now() - looked < often) return
		looked = Date.now()
		own.update().catch(() => {})
	})
}
