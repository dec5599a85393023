// What the household has to say on the first page.
import { html, Loaded, money, read, useData } from "../../kit.js"

export default function Home() {
	const overview = useData((o) => read("household_overview", {}, o), [], { watch: ["household_subscriptions"] })
	return html`<${Loaded} of=${overview}>${(d) => html`<section class="panel">${d.sums.map((s) => html`<p class="big" key=${s.currency}>${money(s.per_month, s.currency)}</p>`)}</section>`}<//>`
}
