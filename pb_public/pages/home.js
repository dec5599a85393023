// The first page: what plugins put on it.
import { html, useEffect, useState } from "../lib/html.js"
import { plugins } from "../lib/store.js"
import { t } from "../lib/i18n.js"
import { AskHome } from "../parts/ask_home.js"
import { Trouble } from "../parts/state.js"

export default function Home() {
	return html`<header><h1>${t("web.home")}</h1></header><${AskHome} />${plugins.value.filter((p) => p.home).map((p) => html`<${Part} key=${p.name} load=${p.home} />`)}`
}

function Part({ load }) {
	const [module, set] = useState()
	useEffect(() => void load().then(set, (problem) => set({ problem })), [])
	if (module?.problem) return html`<${Trouble} problem=${{ kind: "offline" }} retry=${() => location.reload()} />`
	return module ? html`<${module.default} />` : html`<p class="empty" aria-busy="true">${t("web.loading")}</p>`
}
