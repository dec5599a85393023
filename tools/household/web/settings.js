// The settings of the household: what it counts in, what things are called, and the way out and in.
import { html, href, t, useEffect, useRef } from "../../kit.js"
import { Home } from "./settings_home.js"
import { Named } from "./settings_named.js"
import { Tags } from "./settings_tags.js"
import { Rates } from "./settings_rates.js"
import { Keeping } from "./settings_file.js"
import { Shares } from "./shares.js"

const parts = {
	general: () => html`<${Home} /><${Shares} />`,
	categories: () => html`<${Named} noun="category" collection="household_categories" />`,
	methods: () => html`<${Named} noun="payment_method" collection="household_payment_methods" />`,
	tags: () => html`<${Tags} />`,
	rates: () => html`<${Rates} />`,
	file: () => html`<${Keeping} />`,
}

export default function Settings({ query }) {
	const here = Object.hasOwn(parts, query.part) ? query.part : "general"
	const Part = parts[here]
	const nav = useRef()
	useEffect(() => nav.current.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" }), [here])
	return html`<header><h1>${t("household.title.settings_get")}</h1></header>
		<nav ref=${nav} class="tabs" aria-label=${t("household.title.settings_get")}>${Object.keys(parts).map((p) => html`<a key=${p} href=${href("/household/settings", { part: p })} aria-current=${p === here ? "page" : undefined}>${t("household.web.part." + p)}</a>`)}</nav>
		<${Part} key=${here} />`
}
