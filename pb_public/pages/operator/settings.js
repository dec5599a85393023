// What the instance is set to, in words, and what of it can be changed while it runs.
import { html } from "../../lib/html.js"
import { list } from "../../lib/api.js"
import { money, number, t } from "../../lib/i18n.js"
import { over } from "../../lib/over.js"
import { useData } from "../../lib/data.js"
import { Loaded } from "../../parts/state.js"
import { Icon } from "../../parts/icon.js"
import { Chip, OpHead, OpRow } from "../../parts/oplist.js"
import { EditSetting } from "./setting.js"

export default function Settings() {
	const all = useData((o) => list("/operator/settings", { limit: 200 }, o), [], { watch: ["nodkeep_settings"] })
	const edit = async (setting, currency) => (await over(EditSetting, { setting, currency })) && all.reload()
	return html`<${OpHead} title=${t("web.operator.settings")} about=${t("web.operator.settings.how")} />
		<${Loaded} of=${all}>${({ items }) => {
			const currency = items.find((s) => s.name === "ASSISTANT_CURRENCY")?.value
			const row = (s) => html`<li class="item" key=${s.name}><${Row} setting=${s} currency=${currency} edit=${edit} /></li>`
			return html`
				<section class="stack"><h2>${t("web.operator.settings.runs")}</h2><ul class="items panel op-list">${items.filter((s) => !s.restart).map(row)}</ul></section>
				<section class="stack"><h2>${t("web.operator.settings.restart")}</h2><p class="soft">${t("web.operator.settings.restart.about")}</p><ul class="items panel op-list">${items.filter((s) => s.restart).map(row)}</ul></section>`
		}}<//>`
}

function Row({ setting: s, currency, edit }) {
	const name = s.name.toLowerCase()
	const chips = html`${s.from !== "default" && html`<${Chip} kind=${s.from === "operator" ? "good" : ""}>${s.locked && html`<${Icon} name="lock" />`}${t("web.setting.from." + s.from)}<//>`}`
	return html`<${OpRow} name=${t("web.setting." + name)} chips=${chips} press=${!s.restart && !s.locked && (() => edit(s, currency))}
		about=${html`${t("web.setting.about." + name)} <code translate="no">${s.name}</code>`}>
		<b class="op-value" dir="auto">${valueOf(s, currency)}</b>
	<//>`
}

// A value as people read it.
function valueOf({ name, value, choices }, currency) {
	if (value === "") return t("web.setting.none")
	if (choices.length || value === "set" || value === "yes" || value === "no") return t("web.setting.value." + value)
	if (name === "NODKEEP_DAILY_CAP") return money(value, currency)
	if (!/^\d+$/.test(value)) return value
	const n = Number(value)
	if (/_(SECONDS|EVERY)$/.test(name)) return t("web.setting.seconds", n)
	if (name.endsWith("_BYTES")) return t("web.setting.bytes", n)
	return name.endsWith("_DAYS") ? t("web.setting.days", n) : number(n)
}
