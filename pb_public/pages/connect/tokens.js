// The own tokens: what each may, when it was last used, and how it ends.
import { html, useState } from "../../lib/html.js"
import { ago, dated, moment, t } from "../../lib/i18n.js"
import { href } from "../../lib/router.js"
import { over } from "../../lib/over.js"
import { act, tryAct } from "../../parts/act.js"
import { Sheet } from "../../parts/dialog.js"
import { Trouble } from "../../parts/state.js"
import { expires, TokenForm, Until } from "./token_form.js"

/** tokens as the server lists them; reload() after a change, made(token) for a new secret, ended(id) where one is good no more. */
export function Tokens({ tokens, plugins, reload, made, ended }) {
	const good = tokens.filter((x) => x.state !== "revoked"), gone = tokens.filter((x) => x.state === "revoked")

	async function edit(token) {
		if (await over(Edit, { token, plugins })) reload()
	}
	async function rotate(token) {
		const fresh = await over(Rotate, { token })
		if (fresh) made(fresh)
	}
	async function revoke(token) {
		if (await tryAct({ path: `/tokens/${token.id}/revoke` }, { card: "always" })) ended(token.id), reload()
	}

	if (!tokens.length) return html`<p class="empty">${t("web.tokens.none")}</p>`
	return html`<ul class="items">${good.map((x) => html`<li key=${x.id} class="stack">
			<${About} token=${x} />
			<div class="acts">
				${x.state === "active" && html`<button onClick=${() => edit(x)}>${t("web.edit")}<span class="unseen">: ${x.name}</span></button>`}
				<button onClick=${() => rotate(x)}>${t("web.token.rotate")}<span class="unseen">: ${x.name}</span></button>
				<button class="grave" onClick=${() => revoke(x)}>${t("web.token.revoke")}<span class="unseen">: ${x.name}</span></button>
			</div>
		</li>`)}</ul>
		${gone.length > 0 && html`<details><summary>${t("web.tokens.gone", gone.length)}</summary><ul class="items">${gone.map((x) => html`<li key=${x.id}><${About} token=${x} /></li>`)}</ul></details>`}`
}

function About({ token: x }) {
	const over = x.state !== "active"
	return html`<div class="row">
			<b dir="auto">${x.name}</b>
			<span class="acts">
				${over && html`<span class="chip bad">${t("web.token.state." + x.state)}</span>`}
				<span class="chip">${t("nodkeep.mode." + x.mode)}</span>
				${x.tools === "all" && html`<span class="chip">${t("web.token.tools.all")}</span>`}
				${x.plugins.map((p) => html`<span class="chip" key=${p}>${p}</span>`)}
				${x.own_surfaces && html`<span class="chip">${t("nodkeep_tokens.own_surfaces")}</span>`}
			</span>
		</div>
		<p class="soft small">${[
			x.used ? t("web.token.used", ago(x.used)) : t("web.token.unused"),
			x.revoked ? t("web.token.revoked", moment(x.revoked)) : x.expires ? t("web.token.until", moment(x.expires, dated)) : t("web.token.ever"),
			t("web.token.writes", x.daily_writes),
		].join(" · ")} · <a href=${href("/activity", { agent: x.id })}>${t("web.token.did")}<span class="unseen">: ${x.name}</span></a></p>
		${x.tainted && html`<p class="note warn">${t("web.token.tainted", moment(x.tainted))}</p>`}`
}

const Edit = ({ token, plugins, done }) =>
	html`<${Sheet} title=${t("web.token.edit", token.name)} close=${() => done()}><${TokenForm} token=${token} plugins=${plugins} done=${done} cancel=${() => done()} /><//>`

function Rotate({ token, done }) {
	const [f, set] = useState({ until: token.state === "expired" ? "90d" : "as", day: "" })
	const [state, say] = useState({})

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		try {
			const until = expires(f)
			const result = await act({ path: `/tokens/${token.id}/rotate`, body: until === undefined ? {} : { expires: until } }, { quiet: true })
			if (result) return done(result.output)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	return html`<${Sheet} title=${t("web.token.rotate.title", token.name)} close=${() => done()}>
		<form class="stack" onSubmit=${submit}>
			<p>${t("web.token.rotate.about")}</p>
			<${Until} value=${f.until} day=${f.day} change=${(v) => set((f) => ({ ...f, ...v }))} now=${token.state !== "expired" && token} />
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy}>${t("web.token.rotate")}</button></div>
		</form>
	<//>`
}
