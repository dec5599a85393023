// Something that is shown only now: a link, a password. To copy, and for a camera.
import { html, useRef, useState } from "../lib/html.js"
import { moment, t } from "../lib/i18n.js"
import { Sheet } from "./dialog.js"
import { Icon } from "./icon.js"
import { Qr } from "./qr.js"

/** Shows secret once; url says that it is an address, which gets a QR code too. about is a sentence, expires a time. */
export function Once({ title, about, secret, url = false, expires, done }) {
	const [said, say] = useState("")
	const [picture, draw] = useState()
	const ref = useRef()

	async function copy() {
		try {
			await navigator.clipboard.writeText(secret)
		} catch {
			// Without https a page may not write there itself, but the person may by it.
			getSelection().selectAllChildren(ref.current)
			if (!document.execCommand("copy")) return say(t("web.once.select"))
		}
		say(t("web.once.copied"))
	}

	if (!secret) return html`<${Sheet} title=${title} close=${() => done()} acts=${html`<button autofocus onClick=${() => done()}>${t("web.close")}</button>`}><p class="note warn">${t("web.once.lost")}</p><//>`
	return html`<${Sheet} title=${title} close=${() => done()} acts=${html`
		<button onClick=${() => done()}>${t("web.close")}</button>
		<button class="main" autofocus onClick=${copy}><${Icon} name=${said ? "check" : "copy"} />${said || t("web.once.copy")}</button>
	`}>
		${about && html`<p>${about}</p>`}
		<pre class="op-link" tabindex="0" dir="ltr" translate="no" ref=${ref}>${secret}</pre>
		<p class="note warn">${t("web.once.now")}</p>
		${expires && html`<p class="soft">${t("web.once.until", moment(expires))}</p>`}
		${url && (picture ? html`<${Qr} text=${secret} holds=${t("web.once.picture")} />` : html`<button class="quiet" onClick=${() => draw(true)}>${t("web.once.code")}</button>`)}
		<p class="unseen" role="status">${said}</p>
	<//>`
}
