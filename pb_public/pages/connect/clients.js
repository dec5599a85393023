// What each program is to be told, with the real address and paths.
import { html } from "../../lib/html.js"
import { kept } from "../../lib/store.js"
import { t } from "../../lib/i18n.js"
import { Copied } from "../../parts/copy.js"

const place = "PASTE_TOKEN_HERE"
const client = kept("connect.client", "")
const transport = kept("connect.transport", "http")

// Steps of the terminal that this page itself does.
const done = ["connect.step.token", "connect.step.test"]

/** clients are as the server lists them; secret is that of a token that was just made. */
export function Clients({ clients, secret }) {
	const c = clients.find((c) => c.id === client.value) || clients[0]
	const way = c.ways.find((w) => w.transport === transport.value) || c.ways[0]
	const filled = (text) => (secret ? text.replaceAll(place, secret) : text)
	const wanted = way.snippet.includes(place) || way.command?.includes(place)
	const steps = way.steps.filter((s) => !done.includes(s.key) && !(secret && s.key === "connect.step.place"))
	return html`
		<div class="acts" role="group" aria-label=${t("web.connect.client")}>
			${clients.map((o) => html`<button key=${o.id} class="chip" aria-pressed=${o.id === c.id ? "true" : "false"} onClick=${() => (client.value = o.id)}>${o.id === "generic" ? t("web.connect.generic") : o.name}</button>`)}
		</div>
		<div class="transports" role="group" aria-label=${t("web.connect.way")}>
			${c.ways.map((w) => html`<button key=${w.transport} aria-pressed=${w === way ? "true" : "false"} onClick=${() => (transport.value = w.transport)}>
				<b>${t("web.connect.way." + w.transport)}</b><span class="small">${t("web.connect.way.about." + w.transport)}</span>
			</button>`)}
		</div>
		${way.notes.map((n) => html`<p class="note warn" key=${n.key}>${n.text}</p>`)}
		<ol class="steps">${steps.map((s) => html`<li key=${s.key}>${s.text}</li>`)}</ol>
		${way.link && html`<p><a class="button" href=${way.link}>${t("web.connect.link", c.name)}</a></p>`}
		${way.command && html`<h3>${t("web.connect.command")}</h3><${Copied} text=${filled(way.command)} what=${t("web.connect.command")} key=${"c" + c.id + way.transport} />`}
		<h3>${t("web.connect.file")}</h3>
		<ul class="files">${way.files.map((f) => html`<li key=${f.system}>${f.system && html`<span class="soft">${f.system}</span> `}<code dir="ltr">${f.path}</code></li>`)}</ul>
		<${Copied} text=${filled(way.snippet)} what=${t("web.connect.file")} key=${"s" + c.id + way.transport} />
		${wanted && html`<p class="soft small">${secret ? t("web.connect.filled") : t("web.connect.empty", place)}</p>`}`
}
