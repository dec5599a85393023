// Connecting an agent: a token, what its program is to be told, and whether it works.
import { html, useRef, useState } from "../lib/html.js"
import { list } from "../lib/api.js"
import { css } from "../lib/css.js"
import { useData } from "../lib/data.js"
import { t } from "../lib/i18n.js"
import { Loaded } from "../parts/state.js"
import { Clients } from "./connect/clients.js"
import { Phone } from "./connect/phone.js"
import { Secret } from "./connect/secret.js"
import { TokenForm } from "./connect/token_form.js"
import { Tokens } from "./connect/tokens.js"
import { Try } from "./connect/try.js"

await css("connect")

export default function Connect() {
	const tokens = useData((o) => list("/tokens", { limit: 200 }, o))
	const known = useData((o) => list("/connect", {}, o))
	const [made, make] = useState() // a token with its secret: kept nowhere but here
	const [open, show] = useState(false)
	const top = useRef()

	function has(token) {
		make(token)
		show(false)
		tokens.reload()
		setTimeout(() => top.current?.focus(), 0)
	}

	return html`<header><h1>${t("web.connect")}</h1></header>
		<p class="soft">${t("web.connect.about")}</p>
		<section class="panel" aria-labelledby="c1">
			<h2 id="c1" tabindex="-1" ref=${top}>${t("web.connect.one")}</h2>
			${made && html`<${Secret} token=${made} away=${() => make()} />`}
			${open
				? html`<${TokenForm} plugins=${known.data?.plugins || []} done=${has} cancel=${() => show(false)} />`
				: html`${!made && html`<p class="soft">${t("web.connect.one.about")}</p>`}
					<div class="acts"><button class=${made ? "" : "main"} onClick=${() => show(true)}>${made ? t("web.token.another") : t("web.token.make")}</button></div>`}
		</section>
		<section class="panel" aria-labelledby="c2">
			<h2 id="c2">${t("web.connect.two")}</h2>
			<${Loaded} of=${known}>${(k) => html`<${Clients} clients=${k.items} secret=${made?.token} />`}<//>
		</section>
		<section class="panel" aria-labelledby="c3">
			<h2 id="c3">${t("web.connect.three")}</h2>
			<${Try} key=${made?.token} secret=${made?.token} after=${tokens.reload} />
		</section>
		<section class="panel" aria-labelledby="c4">
			<h2 id="c4">${t("web.tokens")}</h2>
			<${Loaded} of=${tokens}>${(page) => html`<${Tokens} tokens=${page.items} plugins=${known.data?.plugins || []} reload=${tokens.reload} made=${has} ended=${(id) => made?.id === id && make()} />`}<//>
		</section>
		${known.data?.address && html`<${Phone} address=${known.data.address} />`}`
}
