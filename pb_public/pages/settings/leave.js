// Going: for now, or for good.
import { html, useState } from "../../lib/html.js"
import { signOut } from "../../lib/api.js"
import { t } from "../../lib/i18n.js"
import { me } from "../../lib/store.js"
import { href } from "../../lib/router.js"
import { act } from "../../parts/act.js"
import { because } from "../../parts/state.js"
import { say as toast } from "../../parts/toast.js"
import { Proof, useProof } from "./proof.js"

export default function Leave() {
	const proof = useProof()
	const [problem, say] = useState(null)
	const [busy, work] = useState(false)
	async function erase(e) {
		e.preventDefault()
		work(true)
		say(null)
		try {
			if (await act({ method: "DELETE", path: "/me", body: proof.given }, { card: "always", quiet: true })) return signOut(t("web.settings.delete.done"))
		} catch (problem) {
			if (!(await proof.asks(problem))) say(problem)
		}
		work(false)
	}
	async function everywhere() {
		try {
			if (await act({ path: "/me/signout" }, { card: "always", quiet: true })) return signOut(t("web.settings.sessions.done"))
		} catch (problem) {
			toast(because(problem), { bad: true })
		}
	}
	return html`<section class="panel">
			<h2>${t("web.settings.sessions")}</h2>
			<p class="soft">${t("web.settings.sessions.what")}</p>
			<div class="acts"><button onClick=${() => signOut()}>${t("web.signout")}</button><button onClick=${everywhere}>${t("web.settings.sessions.all")}</button></div>
		</section>
		<section class="panel">
			<h2>${t("web.tools")}</h2>
			<div class="acts"><a class="button" href=${href("/tools")}>${t("web.tools")}</a></div>
		</section>
		<section class="panel">
			<h2>${t("web.settings.delete")}</h2>
			<p class="soft">${t("web.settings.delete.what")}</p>
			<details><summary>${t("web.settings.delete")}</summary>
				<form class="stack" onSubmit=${erase}>
					<input name="username" value=${me.value.handle} autocomplete="username" hidden readonly />
					<${Proof} proof=${proof} />
					${problem && html`<p class="note bad" role="alert">${because(problem)}</p>`}
					<div class="acts"><button class="grave" disabled=${busy}>${t("web.settings.delete")}</button></div>
				</form>
			</details>
		</section>`
}
