// A sheet over the page: a dialog of the browser's own, so that focus, Escape and readers work.
import { html, useId, useLayoutEffect, useRef } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Icon } from "./icon.js"

/**
 * Shows children over the page while it is mounted. close() is told when the person puts it away;
 * acts stand below and do not scroll. What has the attribute autofocus gets the focus, else the title.
 */
export function Sheet({ title, close, acts, children, class: name = "" }) {
	const ref = useRef()
	const id = useId()
	useLayoutEffect(() => {
		const before = document.activeElement
		ref.current.showModal()
		;(ref.current.querySelector("[autofocus]") || ref.current.querySelector("h2")).focus({ preventScroll: true })
		return () => before?.isConnected && before.focus()
	}, [])
	return html`<dialog ref=${ref} class=${"sheet " + name} aria-labelledby=${id} onCancel=${(e) => e.target === ref.current && (e.preventDefault(), close?.())}>
		<div class="head">
			<h2 id=${id} tabindex="-1">${title}</h2>
			${close && html`<button class="quiet" onClick=${close}><${Icon} name="close" /><span class="unseen">${t("web.close")}</span></button>`}
		</div>
		<div class="body">${children}</div>
		${acts && html`<div class="acts end">${acts}</div>`}
	</dialog>`
}
