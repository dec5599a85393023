// Showing that it is oneself: the password, and a code by mail where a second factor is asked for.
import { html, useState } from "../../lib/html.js"
import { post } from "../../lib/api.js"
import { me } from "../../lib/store.js"
import { t } from "../../lib/i18n.js"
import { Field } from "../../parts/field.js"

/** What was given so far; asks(problem) has a code sent where that is what is missing, and says whether it is. */
export function useProof() {
	const [given, set] = useState({ password: "" })
	async function asks(problem) {
		if (problem.data?.text?.key !== "error.second_factor") return false
		try {
			const { otp_id } = await post("/signin/code", { identity: me.value.email || me.value.handle, mfa: "" })
			set((g) => ({ ...g, otp_id, code: "" }))
			return true
		} catch {
			return false // what is missing is said
		}
	}
	return { given, set, asks }
}

/** The fields for it. */
export function Proof({ proof: { given, set } }) {
	const typed = (name) => (e) => set((g) => ({ ...g, [name]: e.target.value }))
	return html`<${Field} label=${t("web.settings.password.now")} type="password" required maxlength="255" autocomplete="current-password" value=${given.password} onInput=${typed("password")} />
		${given.otp_id !== undefined && html`<${Field} label=${t("web.settings.code")} required maxlength="71" inputmode="numeric" autocomplete="one-time-code" value=${given.code} onInput=${typed("code")} />`}`
}
