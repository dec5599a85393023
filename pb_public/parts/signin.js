// The form to sign in: a password, a code by mail, a provider, or two of them, as the instance has it.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import PocketBase, { BaseAuthStore } from "../third_party/pocketbase.js"
import { post } from "../lib/api.js"
import { about } from "../lib/store.js"
import { lang, t } from "../lib/i18n.js"
import { Field } from "./field.js"

// A session is the page's only once it is known whose it is.
function client() {
	const pb = new PocketBase(location.origin, new BaseAuthStore())
	pb.autoCancellation(false)
	pb.beforeSend = (url, options) => ({ url, options: { ...options, headers: { ...options.headers, "Accept-Language": lang.value } } })
	return pb.collection("users")
}

/**
 * The form; after({token, record}) is told once somebody is in. handle is who is expected, and
 * refused(text) is told where the account may not come in any more. */
export function SignInForm({ after, refused, handle = "" }) {
	const [methods, know] = useState({ password: { enabled: true } })
	const [step, go] = useState({ identity: handle }) // {identity, mfa, otp, minutes}
	const [trouble, say] = useState(null)
	const [busy, work] = useState(false)
	const form = useRef()

	useEffect(() => void client().listAuthMethods().then(know, () => {}), [])
	// Another step begins with its first empty field.
	useEffect(() => {
		const inputs = [...form.current.querySelectorAll("input:not([type=hidden])")]
		;(inputs.find((i) => !i.value) || inputs[0])?.focus()
	}, [step.otp, step.mfa])

	async function attempt(ask, wrong) {
		work(true)
		say(null)
		try {
			const answer = await ask()
			if (answer?.waiting) return wait(answer.waiting)
			if (answer?.token) await after(answer)
		} catch (err) {
			const own = err.response?.data?.text
			if (refused && own?.key?.startsWith("admit.")) return refused(own.text)
			if (err.status === 401 && err.response?.mfaId) await second(err.response.mfaId, form.current.elements.identity?.value ?? step.identity).catch((err) => say(said(err, wrong)))
			else if (!err.isAbort) say(said(err, wrong))
		}
		work(false)
	}

	// One of two factors was right: the other is a code, or the password.
	async function second(mfa, identity) {
		if (step.otp) return go({ ...step, mfa, otp: "" })
		await mail({ ...step, identity, mfa })
	}

	async function mail(from) {
		const { otp_id: otp, minutes } = await post("/signin/code", { identity: from.identity, mfa: from.mfa || "" })
		go({ ...from, otp, minutes })
	}

	function submit(e) {
		e.preventDefault()
		const value = (name) => e.target.elements[name]?.value || ""
		if (step.otp) return attempt(() => client().authWithOTP(step.otp, value("code").trim(), { mfaId: step.mfa || undefined }), t("error.code"))
		const identity = value("identity") // as it stands there: who fills it in for the person may tell nobody
		go({ ...step, identity })
		attempt(() => client().authWithPassword(identity, value("password"), { mfaId: step.mfa || undefined }), t("nod.signin.wrong"))
	}

	function byMail() {
		if (!step.identity.trim()) return (say({ text: t("nod.signin.who") }), form.current.elements.identity.focus())
		attempt(() => mail({ identity: step.identity }), t("nod.signin.wrong"))
	}

	const providers = (!step.mfa && methods.oauth2?.enabled && methods.oauth2.providers) || []
	const wrong = trouble && html`<div class="note bad" role="alert"><p>${trouble.text}</p>${trouble.waiting && about.value?.waiting && html`<p><a href=${about.value.waiting}>${t("page.waiting")}</a></p>`}</div>`
	if (step.otp)
		return html`<form class="stack" ref=${form} onSubmit=${submit}>
			<p>${t(step.mfa ? "nod.code.second" : "nod.code.what", step.minutes)}</p>${wrong}
			<${Field} key="code" label=${t("nod.code.code")} name="code" required maxlength="71" inputmode="numeric" autocomplete="one-time-code" />
			<button class="main" disabled=${busy}>${t("web.signin")}</button>
			<div class="acts"><button type="button" disabled=${busy} onClick=${() => attempt(() => mail(step), t("nod.signin.wrong"))}>${t("nod.code.another")}</button>
			<button type="button" class="quiet" onClick=${() => go({ identity: step.identity })}>${t("nod.code.again")}</button></div>
		</form>`
	const password = methods.password.enabled, code = methods.otp?.enabled && about.value?.mail && !step.mfa
	return html`<form class="stack" ref=${form} onSubmit=${submit}>
		${step.mfa && html`<p>${t("nod.signin.second")}</p>`}${wrong}
		${!password && !code && !providers.length && html`<p>${t("nod.signin.off")}</p>`}
		${(password || code) && html`<${Field} key="identity" label=${t("web.signin.identity")} name="identity" required maxlength="255" value=${step.identity} onInput=${(e) => go({ ...step, identity: e.target.value })} autocomplete="username" autocapitalize="none" spellcheck=${false} />`}
		${password && html`<${Field} key="password" label=${t("web.signin.password")} name="password" type="password" required maxlength="255" autocomplete="current-password" />
			<button class="main" disabled=${busy}>${t("web.signin")}</button>`}
		${code && html`<button type="button" class=${password ? "" : "main"} disabled=${busy} onClick=${byMail}>${t("nod.signin.mail")}</button>`}
		${providers.map((p) => html`<button type="button" key=${p.name} onClick=${() => attempt(() => client().authWithOAuth2({ provider: p.name }), t("web.signin.provider", p.displayName))}>${t("web.signin.with", p.displayName)}</button>`)}
	</form>`
}

// Whoever signs in for the first time by a provider waits on the page that keeps their pass.
function wait({ pass }) {
	document.cookie = `nodkeep_pass=${pass}; path=/waiting; max-age=${30 * 86400}; samesite=strict${location.protocol === "https:" ? "; secure" : ""}`
	location.href = "/waiting"
}

function said(err, wrong) {
	if (err.status === 0 || err.kind === "offline") return { text: t("web.signin.offline") }
	const own = err.data?.text || err.response?.data?.text
	if (own?.text) return { text: own.text, waiting: own.key === "admit.waiting" }
	if (err.status === 429) return { text: t("limit.busy") }
	return { text: err.status === 400 ? wrong : t("web.trouble") }
}
