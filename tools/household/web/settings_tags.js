// Tags are words on subscriptions: renamed and taken off everywhere at once.
import { Endless, href, html, read, t, tryAct } from "../../kit.js"
import { ask } from "./ask.js"

export function Tags() {
	const rename = ({ tag }) => ask({
		title: t("household.title.tag_rename"), options: { card: "always" },
		fields: [{ name: "to", label: t("household.web.tag.to"), value: tag, hint: t("household.web.tag.hint") }],
		request: (v) => ({ tool: "household_tag_rename", args: { from: tag, to: v.to.trim() } }),
	})
	const row = (n) => html`<div class="noun">
		<span class="who"><span><a href=${href("/subscriptions", { tag: n.tag, status: "all" })} dir="auto">${n.tag}</a><br /><span class="soft small">${t("household.web.used.by", n.count)}</span></span></span>
		<span class="acts">
			<button class="quiet" onClick=${() => rename(n)}>${t("household.web.rename")}<span class="unseen">: ${n.tag}</span></button>
			<button class="quiet" onClick=${() => tryAct({ tool: "household_tag_delete", args: { tag: n.tag } }, { card: "always" })}>${t("household.web.delete")}<span class="unseen">: ${n.tag}</span></button>
		</span></div>`
	return html`<section class="panel"><h2>${t("household.title.tag_list")}</h2>
		<${Endless} label=${t("household.title.tag_list")} watch=${["household_subscriptions"]} empty=${t("household.web.tags.none")} load=${(cursor, o) => read("household_tag_list", { limit: 50, cursor }, o)} row=${row} /></section>`
}
