// How the instance is: what needs attention first.
import { html } from "../../lib/html.js"
import { get } from "../../lib/api.js"
import { ago, dated, moment, number, t } from "../../lib/i18n.js"
import { useData } from "../../lib/data.js"
import { Loaded } from "../../parts/state.js"
import { Icon } from "../../parts/icon.js"
import { Chip, OpHead, OpRow } from "../../parts/oplist.js"

export default function Health() {
	const health = useData((o) => get("/operator/health", {}, o))
	return html`<${OpHead} title=${t("web.operator.health")}><button disabled=${health.loading} onClick=${health.reload}>${t("web.health.again")}</button><//>
		<${Loaded} of=${health}>${(h) => html`
			<${Checks} checks=${h.checks} />
			<${Backups} of=${h.backups} />
			<${Asked} all=${h.assistants} since=${h.since} />
			<section class="panel"><h2>${t("web.health.disk")}</h2>
				<dl class="op-facts"><dt>${t("web.health.database")}</dt><dd>${bytes(h.disk.database)}</dd>
					${h.disk.free > 0 && html`<dt>${t("web.health.free")}</dt><dd>${bytes(h.disk.free)}</dd>`}
					<dt>${t("web.health.version")}</dt><dd>${h.version}</dd></dl></section>
		`}<//>`
}

const kinds = { ok: "good", weak: "warn", wrong: "bad" }

function Checks({ checks }) {
	const bad = checks.filter((c) => c.state !== "ok"), good = checks.filter((c) => c.state === "ok")
	return html`
		${bad.length
			? html`<section class="stack"><h2>${t("web.health.attention")}</h2><ul class="items panel op-list">${bad.map(row)}</ul><p class="soft small">${t("web.health.doctor")} <code translate="no">nodkeep doctor</code></p></section>`
			: html`<p class="note good">${t("web.health.well")}</p>`}
		<details class="panel"><summary>${t("web.health.fine", good.length)}</summary><ul class="items op-list">${good.map(row)}</ul></details>`
}

const row = (c) => html`<li class="item" key=${c.name}><div class="op-row"><span class="op-words">${c.says.text}</span><${Chip} kind=${kinds[c.state]}><${Icon} name=${c.state === "ok" ? "check" : "warn"} />${t("web.health.state." + c.state)}<//></div></li>`

function Backups({ of: b }) {
	return html`<section class="panel"><h2>${t("web.health.backups")}</h2>
		<p>${b.cron ? html`${t("web.health.backups.cron")} <code translate="no" dir="ltr">${b.cron}</code>` : html`<${Chip} kind="warn"><${Icon} name="warn" />${t("web.health.backups.none")}<//>`}</p>
		${b.away
			? html`<p class="soft">${t("web.health.backups.away")}</p>`
			: b.last
				? html`<dl class="op-facts"><dt>${t("web.health.backups.last")}</dt><dd>${ago(b.last)} · ${moment(b.last)}</dd><dt>${t("web.health.backups.size")}</dt><dd>${bytes(b.size)}</dd><dt>${t("web.health.backups.count")}</dt><dd>${number(b.count)}</dd></dl>`
				: html`<p class="soft">${t("web.health.backups.never")}</p>`}
		<p class="soft small">${t("web.health.backups.where")} <a href="/_/#/settings/backups">${t("web.health.dashboard")}</a></p>
	</section>`
}

// Failed questions are what the audit has of hosts that did not answer.
function Asked({ all, since }) {
	return html`<section class="stack"><h2>${t("web.health.asked")}</h2><p class="soft">${t("web.health.asked.about", moment(since, dated))}</p>
		${all.length
			? html`<ul class="items panel op-list">${all.map((a) => html`<li class="item" key=${a.assistant}>
				<${OpRow} name=${a.assistant || "–"} about=${a.failed > 0 ? t("web.health.asked.last", ago(a.last)) : t("web.health.asked.none")} chips=${a.failed > 0 && html`<${Chip} kind="bad">${t("web.health.asked.failed", a.failed)}<//>`}>${t("web.health.asked.count", a.asked)}<//></li>`)}</ul>`
			: html`<p class="panel empty">${t("web.health.asked.nobody")}</p>`}
	</section>`
}

// Bytes as people read them: in steps of a thousand, as disks are sold.
function bytes(n) {
	const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"]
	let step = 0
	while (n >= 1000 && step < units.length - 1) (n /= 1000), step++
	return number(n, { style: "unit", unit: units[step], maximumFractionDigits: n < 10 && step ? 1 : 0 })
}
