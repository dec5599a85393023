// The page of whoever is not signed in.
import { html, useEffect } from "../lib/html.js"
import { get } from "../lib/api.js"
import { about, left } from "../lib/store.js"
import { go, route } from "../lib/router.js"
import { t } from "../lib/i18n.js"
import { SignInForm } from "../parts/signin.js"

export default function SignIn({ after }) {
	const a = about.value || {}
	// Whoever comes from a page of the server is named in the address, for the form alone.
	const { as = "", ...rest } = route.value.query
	useEffect(() => void (document.title = t("web.signin") + " · Nodkeep"), [])

	async function entered(auth) {
		if (as) go(route.value.path, rest, { replace: true })
		left.value = ""
		await after(auth)
	}

	return html`<main class="alone">
		<header class="brand"><img src="icon.svg" alt="" width="48" height="48" /><h1>Nodkeep</h1></header>
		${a.demo && html`<p class="note">${a.demo.text}</p>`}
		${left.value && html`<p class="note warn" role="status">${left.value}</p>`}
		<section class="panel">${a.first ? html`<${First} />` : html`<${SignInForm} after=${entered} handle=${as} />`}</section>
		<nav class="acts" aria-label=${t("web.nav")}>
			${a.sign_up && html`<a class="button" href=${a.sign_up}>${t("plain.signup.title")}</a>`}
			${a.waiting && html`<a class="button quiet" href=${a.waiting}>${t("page.waiting")}</a>`}
			<a class="button quiet" href="/privacy">${t("plain.privacy")}</a>
		</nav>
	</main>`
}

// Nobody is here yet: what to do, until the first operator is there.
function First() {
	useEffect(() => {
		const timer = setInterval(() => document.hidden || get("/").then((now) => now.first || (about.value = now), () => {}), 3000)
		return () => clearInterval(timer)
	}, [])
	return html`<h2>${t("web.first")}</h2>
		<p>${t("web.first.link")}</p>
		<p>${t("web.first.or")}</p>
		<pre tabindex="0"><code>nodkeep account add NAME --operator</code></pre>
		<p class="soft" role="status">${t("web.first.wait")}</p>`
}
