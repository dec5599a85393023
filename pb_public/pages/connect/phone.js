// The way from this screen to a phone.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { Qr } from "../../parts/qr.js"

/** address is that of the instance. */
export function Phone({ address }) {
	const [open, show] = useState(false)
	const here = /^https?:\/\/(localhost|127\.|\[::1\])/.test(address)
	return html`<details class="panel" onToggle=${(e) => show(e.target.open)}>
		<summary><h2>${t("web.phone")}</h2></summary>
		${open && html`<${Qr} text=${address} holds=${t("web.qr.address", address)} />
			${here && html`<p class="note warn">${t("web.phone.local")}</p>`}`}
	</details>`
}
