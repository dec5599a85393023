// The talk from anywhere: beside the page where there is room, over it on phones.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { go, href } from "../lib/router.js"
import { asking } from "../lib/store.js"
import { t } from "../lib/i18n.js"
import { draft, running } from "../lib/talk.js"
import { Icon } from "./icon.js"
import { submit } from "./composer.js"
import { Talk, TalkActs } from "./talk.js"
import { say } from "./toast.js"

const wide = matchMedia("(min-width: 56rem)")

/** The panel. Closing it stops nothing. */
export function Panel() {
	const root = useRef()
	const [beside, set] = useState(wide.matches)
	const [before] = useState(() => document.activeElement) // the box takes the focus
	const close = () => (asking.value = null)

	useEffect(() => {
		const turned = () => set(wide.matches)
		wide.addEventListener("change", turned)
		return () => {
			wide.removeEventListener("change", turned)
			document.querySelector(".shell").inert = false // what is inert takes no focus
			if (before?.isConnected) before.focus()
			told()
		}
	}, [])
	// Over the page it is all there is; beside it the page makes room.
	useEffect(() => {
		const shell = document.querySelector(".shell")
		shell.inert = !beside
		document.documentElement.classList.toggle("with-ask", beside)
		return () => {
			shell.inert = false
			document.documentElement.classList.remove("with-ask")
		}
	}, [beside])
	// On phones Back puts it away, as any sheet.
	useEffect(() => {
		if (beside) return
		history.pushState({ ask: true }, "")
		const back = () => close()
		addEventListener("popstate", back)
		return () => {
			removeEventListener("popstate", back)
			if (history.state?.ask) history.back()
		}
	}, [beside])
	// The keyboard of a phone takes room away.
	useEffect(() => {
		const v = window.visualViewport
		if (beside || !v) return
		const fit = () => Object.assign(root.current.style, { height: v.height + "px", top: v.offsetTop + "px" })
		fit()
		v.addEventListener("resize", fit)
		v.addEventListener("scroll", fit)
		return () => {
			v.removeEventListener("resize", fit)
			v.removeEventListener("scroll", fit)
			root.current?.removeAttribute("style")
		}
	}, [beside])
	const n = asking.value?.n
	useEffect(() => {
		const asked = asking.value
		if (!asked?.text) return
		draft.value = asked.text
		if (asked.send && !running.value) submit()
		root.current.querySelector("textarea")?.focus()
	}, [n])

	// What was put on the way back for the sheet becomes the page.
	const grow = (e) => {
		e.preventDefault()
		const replace = !!history.state?.ask
		if (replace) history.replaceState(null, "") // it is the sheet's no more, which would go back
		go("/ask", {}, { replace })
		close()
	}
	const key = (e) => e.key === "Escape" && !e.defaultPrevented && !document.querySelector("dialog[open]") && (e.stopPropagation(), close())
	return html`<section ref=${root} class="ask-panel" role=${beside ? "complementary" : "dialog"} aria-modal=${beside ? undefined : "true"} aria-label=${t("web.ask")} onKeyDown=${key}>
		<header><h2>${t("web.ask")}</h2><div class="acts">
			<${TalkActs} />
			<a class="button quiet" href=${href("/ask")} onClick=${grow}><${Icon} name="wide" /><span class="unseen">${t("web.ask.page")}</span></a>
			<button class="quiet" onClick=${close}><${Icon} name="close" /><span class="unseen">${t("web.close")}</span></button>
		</div></header>
		<${Talk} focus />
	</section>`
}

// Whoever goes while it is answered is told once that is done.
function told() {
	const turn = running.value
	if (!turn) return
	const end = turn.subscribe((now) => {
		if (now.state !== "over") return
		queueMicrotask(() => end())
		if (!asking.value && !location.hash.startsWith("#/ask") && now.finish) say(t("web.ask.ready"), { act: { label: t("web.ask.show"), run: () => (asking.value = { text: "", n: Math.random() }) } })
	})
}
