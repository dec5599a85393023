// Over the page when its session has ended: signing in again loses nothing that was typed below.
import { html, useState } from "../lib/html.js"
import { signOut } from "../lib/api.js"
import { me } from "../lib/store.js"
import { resume } from "../lib/session.js"
import { t } from "../lib/i18n.js"
import { Sheet } from "./dialog.js"
import { SignInForm } from "./signin.js"

export default function Again() {
	const [other, set] = useState(null)
	const handle = me.value.handle || ""

	async function after(auth) {
		if (auth.record.id === me.value.id) resume(auth)
		else set(auth)
	}

	// Somebody else begins anew: what was typed is not theirs to send.
	if (other)
		return html`<${Sheet} key="other" title=${t("web.again.other")} acts=${html`
			<button autofocus onClick=${() => set(null)}>${t("web.again.back", handle)}</button>
			<button class="grave" onClick=${() => signOut("", other)}>${t("web.again.change", other.record.handle)}</button>`}>
			<p>${t("web.again.other.what", other.record.handle, handle)}</p>
		<//>`
	return html`<${Sheet} key="again" title=${t("web.again")} acts=${html`<button class="quiet" onClick=${() => signOut()}>${t("web.signout")}</button>`}>
		<p>${t("web.again.what", handle)}</p>
		<${SignInForm} after=${after} refused=${signOut} handle=${handle} />
	<//>`
}
