// Another password: whoever changes it shows that it is them.
import { html, useState } from "../../lib/html.js"
import { post, signOut } from "../../lib/api.js"
import { me } from "../../lib/store.js"
import { t } from "../../lib/i18n.js"
import { Field } from "../../parts/field.js"
import { because } from "../../parts/state.js"
import { Proof, useProof } from "./proof.js"

export default function Password() {
	const proof = useProof()
	const [next, type] = useState("")
	const [problem, say] = useState(null)
	const [busy, work] = useState(false)
	async function change(e) {
		e.preventDefault()
		work(true)
		say(null)
		try {
			await post("/me/password", { ...proof.given, new: next })
			return signOut(t("web.settings.password.done"))
		} catch (problem) {
			if (!(await proof.asks(problem))) say(problem)
		}
		work(false)
	}
	return html`<section class="panel">
		<h2>${t("web.settings.password")}</h2>
		<p class="soft">${t("web.settings.password.ends")}</p>
		<form class="stack" onSubmit=${change}>
			<input name="username" value=${me.value.handle} autocomplete="username" hidden readonly />
			<${Proof} proof=${proof} />
			<${Field} label=${t("web.settings.password.new")} hint=${t("plain.password_hint")} type="password" name="new" required minlength="8" maxlength="71" autocomplete="new-password" value=${next} onInput=${(e) => type(e.target.value)} />
			${problem && html`<p class="note bad" role="alert">${because(problem)}</p>`}
			<div class="acts"><button class="main" disabled=${busy}>${t("web.settings.password")}</button></div>
		</form>
	</section>`
}
