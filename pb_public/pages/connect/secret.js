// The secret of a token, shown once.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { Copied } from "../../parts/copy.js"
import { Qr } from "../../parts/qr.js"

/** token is as the server made it, with its secret; away() forgets it. */
export function Secret({ token, away }) {
	const [code, show] = useState(false)
	if (!token.token) return html`<p class="note warn" role="status">${t("web.once.lost")}</p>`
	return html`<div class="secret" role="status">
		<p><b>${t("web.token.secret", token.name)}</b></p>
		<p>${t("web.token.secret.about")}</p>
		<${Copied} text=${token.token} what=${t("web.token.the_secret")} />
		<div class="acts">
			<button aria-expanded=${code} onClick=${() => show(!code)}>${code ? t("web.qr.hide") : t("web.qr.show")}</button>
			<button onClick=${away}>${t("web.token.secret.away")}</button>
		</div>
		${code && html`<${Qr} text=${token.token} holds=${t("web.qr.token")} />`}
	</div>`
}
