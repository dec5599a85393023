// The first page: what plugins put on it.
import { html, useEffect, useState } from "../lib/html.js"
import { plugins } from "../lib/store.js"
import { t } from "../lib/i18n.js"
import { AskHome } from "../parts/ask_home.js"

export default function Home() {
	return html`<header><h1>${t("web.home")}</h1></header><${AskHome} />${plugins.value.filter((p) => p.home).map((p) => html`<${Part} key=${p.name} load=${p.home} />`)}`
}

function Part({ load }) {
	const [module, set] = useState()
	useEffect(() => void load().then(set), [])
	return module && html`<${module.default} />`
}
