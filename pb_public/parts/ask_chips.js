// What a question is about, and who is asked: chips below the words, each with a sheet to choose.
import { html } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { over } from "../lib/over.js"
import { record, ticked } from "../lib/store.js"
import { assistants, chosen, current, effort } from "../lib/assistants.js"
import { reach, scope, secret } from "../lib/talk.js"
import { Sheet } from "./dialog.js"
import { Icon } from "./icon.js"
import { Tick } from "./field.js"

/** The chips of the next question. */
export function Chips() {
	const a = current.value
	const { of } = scope.value
	const about = of === "ticked" ? t("web.ask.scope.ticked", ticked.value.length) : of === "all" ? t("web.ask.scope.all") : record.value.label || t("web.ask.scope." + of)
	return html`<div class="ask-chips">
		<button type="button" class="chip" aria-haspopup="dialog" onClick=${() => over(ScopeSheet)}><${Icon} name="filter" /><span class="unseen">${t("web.ask.scope")}: </span><span class="ask-cut" dir="auto">${about}${of === "tree" ? " +" : ""}</span></button>
		${secret.value && html`<button type="button" class="chip warn" onClick=${() => (secret.value = false)}><${Icon} name="lock" />${t("web.ask.private.on")}<${Icon} name="close" /></button>`}
		${a && html`<button type="button" class="chip" aria-haspopup="dialog" onClick=${() => over(AssistantSheet)}><span class="unseen">${t("web.ask.assistant")}: </span><span class="ask-cut" dir="auto">${a.name}</span>${effort.value && !a.scripted && html`<span class="soft">· ${t("web.ask.effort." + effort.value)}</span>`}</button>`}
	</div>`
}

const Option = ({ name, value, now, pick, label, hint, children }) => html`<label class="ask-option">
	<input type="radio" name=${name} value=${value} checked=${value === now} onChange=${() => pick(value)} />
	<span><span dir="auto">${label}</span>${children}${hint && html`<span class="soft small" dir="auto">${hint}</span>`}</span>
</label>`

// Each reach says what it is; those that fit nothing on the page are not there.
function ScopeSheet({ done }) {
	const a = current.value
	const options = [
		["all", t("web.ask.scope.all"), t("web.ask.scope.all.hint")],
		ticked.value.length > 0 && ["ticked", t("web.ask.scope.ticked", ticked.value.length), ticked.value.slice(0, 5).map((r) => r.label).filter(Boolean).join(", ") + (ticked.value.length > 5 ? " …" : "")],
		record.value && ["record", t("web.ask.scope.record"), record.value.label],
		record.value && ["tree", t("web.ask.scope.tree"), t("web.ask.scope.tree.hint")],
	].filter(Boolean)
	return html`<${Sheet} title=${t("web.ask.scope")} close=${() => done()} acts=${html`<button class="main" onClick=${() => done()}>${t("web.ask.choose")}</button>`}>
		<fieldset class="ask-options"><legend class="unseen">${t("web.ask.scope")}</legend>
			${options.map(([v, label, hint]) => html`<${Option} key=${v} name="scope" value=${v} now=${scope.value.of} pick=${(v) => (reach.value = v)} label=${label} hint=${hint} />`)}
		</fieldset>
		${options.length === 1 && html`<p class="soft small">${t("web.ask.scope.how")}</p>`}
		<${Tick} label=${t("web.ask.private")} checked=${secret.value} onChange=${(e) => (secret.value = e.target.checked)} />
		${a && !a.scripted && html`<p class=${a.local ? "soft small" : "note warn"}>${a.local ? t("web.ask.private.local", a.name) : t("web.ask.private.away", a.host)}</p>`}
	<//>`
}

const efforts = ["", "low", "medium", "high", "xhigh", "max"]

// Who there is, first what stays on the machine; then what one can ask for.
function AssistantSheet({ done }) {
	const { items, more } = assistants.value || { items: [], more: [] }
	const groups = [["local", items.filter((a) => a.local || a.scripted)], ["away", items.filter((a) => !a.local && !a.scripted)]].filter(([, all]) => all.length)
	const a = current.value
	return html`<${Sheet} title=${t("web.ask.assistant")} close=${() => done()} acts=${html`<button class="main" onClick=${() => done()}>${t("web.ask.choose")}</button>`}>
		${groups.map(([group, all]) => html`<fieldset class="ask-options" key=${group}><legend class="small soft">${t("web.ask.group." + group)}</legend>
			${all.map((x) => html`<${Option} key=${x.id} name="assistant" value=${x.id} now=${a?.id} pick=${(v) => (chosen.value = v)} label=${x.name} hint=${x.scripted ? x.goes.text : [x.model, x.local ? "" : x.host].filter(Boolean).join(" · ")}>
				${x.scripted && html` <span class="chip warn">${t("web.ask.scripted")}</span>`}${!x.agreed && html` <span class="chip">${t("web.ask.agree.first")}</span>`}
			<//>`)}
		</fieldset>`)}
		${a && !a.scripted && html`<fieldset class="ask-options"><legend class="small soft">${t("web.ask.effort")}</legend>
			<div class="acts ask-choices">${efforts.map((e) => html`<label class="chip" key=${e}><input type="radio" name="effort" checked=${effort.value === e} onChange=${() => (effort.value = e)} />${e ? t("web.ask.effort." + e) : t("web.ask.effort.default")}</label>`)}</div>
		</fieldset>`}
		${more.length > 0 && html`<section class="stack"><h3 class="small soft">${t("web.ask.group.more")}</h3>
			${more.map((x) => html`<div class="row" key=${x.id}><span><span dir="auto">${x.name}</span> <span class="soft small" dir="auto">${x.model}${x.local ? "" : " · " + x.host}</span></span><button onClick=${async () => over((await import("./ask_more.js")).More, { assistant: x })}>${t("web.more.ask")}</button></div>`)}
		</section>`}
	<//>`
}
