// The one-time links that nobody has used, and how one is made worthless.
import { html } from "../../lib/html.js"
import { ago, moment, t } from "../../lib/i18n.js"
import { tryAct } from "../../parts/act.js"
import { OpList, OpRow } from "../../parts/oplist.js"

/** Lists the links of path, named by what the row says of them. */
export function Links({ path, label, empty, name, turn, changed }) {
	const revoke = async (link) => (await tryAct({ path: `${path}/${link.id}/revoke` })) && changed()
	return html`<${OpList} label=${label} path=${path} empty=${empty} watch=${["nodkeep_links"]} turn=${turn} row=${(link) => html`
		<${OpRow} name=${name(link)} about=${about(link)}><button class="grave" onClick=${() => revoke(link)}>${t("web.operator.revoke")}<span class="unseen"> ${name(link)}</span></button><//>`} />`
}

const about = (link) => [link.by && t("web.operator.link.by", link.by), t("web.operator.link.made", moment(link.created)), t("web.operator.link.until", ago(link.expires))].filter(Boolean).join(" · ")
