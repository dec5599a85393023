// What can be done with a subscription as it stands.
import { because, go, html, Icon, over, say, t, tryAct, useRef } from "../../kit.js"
import { ask } from "./ask.js"
import { given } from "./bulk.js"
import { Split } from "./split.js"

export function Deeds({ s, lists, reload }) {
	const id = s.id
	const menu = useRef()
	const runs = s.status !== "cancelled" && s.status !== "ended"
	const open = s.trial && !s.trial.decided && runs
	const done = (x) => (x && reload(), x)
	const one = (tool, args) => tryAct({ tool, args: { id, ...args } }).then(done)
	const form = (title, tool, fields, more = {}) => ask({ title, fields, request: (v) => ({ tool, args: { id, ...given(v) } }), ...more }).then(done)

	const pause = () => form(t("household.web.pause"), "household_subscription_pause", [
		{ name: "from", label: t("household.web.from"), kind: "date", hint: t("household.web.today.else") },
		{ name: "resumes", label: t("household.web.resumes"), kind: "date", hint: t("household.web.unknown.else") },
		{ name: "shift", label: t("household.web.shift"), kind: "tick" },
	], { verb: t("household.web.pause") })
	const resume = () => form(t("household.web.resume"), "household_subscription_resume", [{ name: "on", label: t("household.web.resumes"), kind: "date", hint: t("household.web.today.else") }], { verb: t("household.web.resume") })
	const cancel = () => form(t("household.title.subscription_cancel"), "household_subscription_cancel", [{ name: "last_day", label: t("household.web.last.day"), kind: "date", hint: t("household.web.last.day.else") }], { intro: t("household.web.cancel.say"), verb: t("household.web.next.step") })
	const notice = () => form(t("household.web.notice"), "household_notice_given", [
		{ name: "on", label: t("household.web.notice.on"), kind: "date", hint: t("household.web.today.else") },
		{ name: "last_day", label: t("household.web.last.day"), kind: "date", hint: t("household.web.notice.else") },
	], { verb: t("household.web.next.step") })
	const terms = () => ask({
		title: t("household.web.terms"), fields: [
			{ name: "from", label: t("household.web.terms.from"), kind: "date", value: s.terms?.from || "", hint: t("household.web.first.else") },
			{ name: "min_term", label: t("household.web.terms.min"), kind: "length", value: s.terms?.min_term || "" },
			{ name: "extension", label: t("household.web.terms.extension"), kind: "length", value: s.terms?.extension || "", hint: t("household.web.cycle.else") },
			{ name: "notice", label: t("household.web.terms.notice"), kind: "length", value: s.terms?.notice || "" },
		], request: (v) => {
			const clear = Object.keys(v).filter((n) => v[n] === "" && s.terms?.[n])
			return { tool: "household_subscription_terms", args: { id, ...given(v), ...(clear.length && { clear }) } }
		},
	}).then(done)
	const hand = () => ask({
		title: t("household.web.hand"), intro: t("household.web.hand.say"), fields: [{ name: "to", label: t("household.web.hand.to"), kind: "choice", value: lists.members.find((m) => m.id !== s.owner)?.id, choices: lists.members.filter((m) => m.id !== s.owner).map((m) => [m.id, m.handle]) }],
		request: (v) => ({ tool: "household_hand_over", args: { to: v.to, ids: [id] } }), options: { card: "always" }, verb: t("household.web.next.step"),
	}).then(done)
	const replace = async () => {
		const { whole } = await import("./words.js")
		const all = await whole("household_subscription_list", {}).catch((problem) => void say(because(problem), { bad: true }))
		if (!all) return
		const others = all.filter((x) => x.id !== id)
		form(t("household.title.subscription_replace"), "household_subscription_replace", [
			{ name: "by", label: t("household.web.replaced.by"), kind: "choice", value: others[0]?.id, choices: others.map((x) => [x.id, x.name]) },
			{ name: "last_day", label: t("household.web.last.day"), kind: "date", hint: t("household.web.replace.else") },
		], { verb: t("household.web.next.step") })
	}
	const logo = () => ask({
		title: t("household.title.logo_set"), fields: [{ name: "logo", label: t("household.web.logo.file"), kind: "file", accept: "image/png,image/jpeg,image/webp,image/gif", hint: t("household.web.logo.hint") }],
		request: async (v) => ({ tool: "household_logo_set", args: v.logo ? { id, logo: { name: v.logo.name, data: await base64(v.logo) } } : { id, clear: true } }),
	}).then(done)
	const split = () => over(Split, { s, members: lists.members }).then(done)
	const remove = () => tryAct({ tool: "household_subscription_delete", args: { id } }).then((x) => x && go("/subscriptions"))

	const rest = [
		[t("household.web.terms"), terms], [t("household.web.split"), split],
		runs && s.terms && !open && [t("household.web.notice"), notice],
		s.status === "cancelled" && s.terms && !s.terms.noticed_on && [t("household.web.notice"), notice],
		s.mine && !s.private && lists.members.length > 1 && [t("household.web.hand"), hand],
		runs && [t("household.title.subscription_replace"), replace], [t("household.title.logo_set"), logo],
	].filter(Boolean)
	return html`<div class="acts deeds">
		${open && html`<button class="main" onClick=${() => one("household_trial_decide", { decision: "keep" })}>${t("household.web.keep")}</button><button class="grave" onClick=${() => one("household_trial_decide", { decision: "drop" })}>${t("household.web.drop")}</button>`}
		<a class="button" href=${"#/subscriptions/" + id + "/edit"}>${t("household.web.edit")}</a>
		${s.status === "paused" ? html`<button onClick=${resume}>${t("household.web.resume")}</button>` : runs && html`<button onClick=${pause}>${t("household.web.pause")}</button>`}
		${runs && !open && html`<button onClick=${cancel}>${t("household.web.cancel")}</button>`}
		${s.status === "cancelled" && html`<button onClick=${() => one("household_subscription_update", { clear: ["ends_on"] })}>${t("household.web.take.back")}</button>`}
		<details class="menu" ref=${menu} onKeyDown=${(e) => e.key === "Escape" && ((menu.current.open = false), menu.current.firstElementChild.focus())}>
			<summary class="button quiet"><${Icon} name="more" />${t("household.web.more")}</summary>
			<ul>${rest.map(([label, run]) => html`<li><button class="quiet" onClick=${() => ((menu.current.open = false), run())}>${label}</button></li>`)}
				<li><button class="quiet grave" onClick=${() => ((menu.current.open = false), remove())}>${t("household.web.delete")}</button></li></ul>
		</details>
	</div>`
}

const base64 = (file) =>
	new Promise((resolve, reject) => {
		const reader = new FileReader()
		reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1))
		reader.onerror = () => reject(reader.error)
		reader.readAsDataURL(file)
	})

