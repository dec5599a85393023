// Copying, also where the browser does not let a page do it: over plain http, or without permission.
import { html, useRef, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { css } from "../lib/css.js"
import { Icon } from "./icon.js"

await css("copy")

/**
 * Text to be taken elsewhere, with a button that copies it. Where that is not allowed the text is
 * selected, and the person is told to copy it. what says, for readers, what is copied.
 */
export function Copied({ text, what, class: name = "" }) {
	const ref = useRef()
	const [said, say] = useState("")

	async function copy() {
		try {
			await navigator.clipboard.writeText(text)
			say(t("web.copy.done"))
		} catch {
			getSelection().selectAllChildren(ref.current)
			say(t("web.copy.by_hand"))
		}
	}

	return html`<div class=${"copied " + name}>
		<pre ref=${ref} tabindex="0" aria-label=${what} dir="ltr">${text}</pre>
		<div class="acts"><button onClick=${copy}><${Icon} name="copy" />${t("web.copy")}<span class="unseen">: ${what}</span></button><span class="soft small" role="status">${said}</span></div>
	</div>`
}
