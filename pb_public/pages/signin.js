// Signing in, as a page and over one when a session has ended.
import { html, useEffect, useState } from "../lib/html.js"
import { pb } from "../lib/api.js"
import { about, ended } from "../lib/store.js"
import { t } from "../lib/i18n.js"
import { Field } from "../parts/field.js"
import { Problem } from "../lib/problem.js"

/** The form; after() is told once somebody is in. */
export function SignInForm({ after, handle = "" }) {
	const [problem, say] = useState("")
	const [busy, work] = useState(false)

	async function submit(e) {
		e.preventDefault()
		const form = new FormData(e.target)
		work(true)
		say("")
		try {
			await pb.collection("users").authWithPassword(form.get("identity"), form.get("password"))
			await after()
		} catch (err) {
			say(wrong(err))
		}
		work(false)
	}

	return html`<form class="stack" onSubmit=${submit}>
		${problem && html`<p class="note bad" role="alert">${problem}</p>`}
		<${Field} label=${t("web.signin.identity")} name="identity" required value=${handle} autocomplete="username" autocapitalize="none" spellcheck=${false} autofocus=${!handle} />
		<${Field} label=${t("web.signin.password")} name="password" type="password" required autocomplete="current-password" autofocus=${!!handle} />
		<div class="acts"><button class="main" disabled=${busy}>${t("web.signin")}</button></div>
	</form>`
}

function wrong(err) {
	if (err instanceof Problem) return err.message
	if (err.status === 0) return t("web.offline.need")
	return err.response?.data?.text?.text || err.response?.message || t("web.trouble")
}

/** The page of whoever is not signed in. */
export default function SignIn({ after }) {
	const a = about.value || {}
	return html`<main class="alone">
		<h1>Nodkeep</h1>
		${a.demo && html`<p class="note">${a.demo.text}</p>`}
		${a.first ? html`<p class="note">${t("page.first")}</p><pre>nodkeep account add NAME --operator</pre>` : html`<${SignInForm} after=${after} />`}
		<nav class="acts">
			${a.sign_up && html`<a class="button" href=${a.sign_up}>${t("plain.signup.title")}</a>`}
			${a.waiting && html`<a href=${a.waiting}>${t("page.waiting")}</a>`}
			<a href="/privacy">${t("plain.privacy")}</a>
		</nav>
	</main>`
}
