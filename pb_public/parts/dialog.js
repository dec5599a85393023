// A sheet over the page: a dialog of the browser's own, so that focus, Escape and readers work.
import { html, useEffect, useId, useLayoutEffect, useRef } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Icon } from "./icon.js"
import { Toasts } from "./toast.js"

const parts = "a[href], button, input, select, textarea, summary, [tabindex]"

/** Calls away() where somebody goes to another page: what lies over this one is not meant for that. */
export function useLeft(away) {
	useEffect(() => {
		addEventListener("hashchange", away)
		return () => removeEventListener("hashchange", away)
	}, [])
}

/**
 * Shows children over the page while it is mounted. close() is told when the person puts it away,
 * or goes to another page; acts stand below and do not scroll. What has the attribute autofocus gets the focus, else the title.
 */
export function Sheet({ title, close, acts, children, class: name = "" }) {
	const ref = useRef()
	const id = useId()
	const away = useRef()
	away.current = close
	useLeft(() => away.current?.())
	// A phone whose Back is pressed twice closes a dialog unasked: what cannot be put away is opened again.
	const ended = (e) => e.target === ref.current && (close ? close() : ref.current.showModal())
	useLayoutEffect(() => {
		const before = document.activeElement, box = ref.current
		box.showModal()
		;(box.querySelector("[autofocus]") || box.querySelector("h2")).focus({ preventScroll: true })
		// What is longer than the window and has nothing to go to is scrolled by the keyboard, too.
		const body = box.querySelector(".body")
		const seen = new ResizeObserver(() => {
			const alone = body.scrollHeight > body.clientHeight && !body.querySelector(parts)
			for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-labelledby", id]]) alone ? body.setAttribute(name, value) : body.removeAttribute(name)
		})
		for (const part of [body, ...body.children]) seen.observe(part)
		return () => (seen.disconnect(), box.close(), before?.isConnected && before.focus()) // as long as it is open, nothing else takes the focus
	}, [])
	return html`<dialog ref=${ref} class=${"sheet " + name} aria-labelledby=${id} onCancel=${(e) => e.target === ref.current && (e.preventDefault(), close?.())} onClose=${ended}>
		<div class="head">
			<h2 id=${id} tabindex="-1">${title}</h2>
			${close && html`<button class="quiet" onClick=${close}><${Icon} name="close" /><span class="unseen">${t("web.close")}</span></button>`}
		</div>
		<div class="body">${children}</div>
		${acts && html`<div class="acts end">${acts}</div>`}
		<${Toasts} bad />
	</dialog>`
}
