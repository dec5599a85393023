// The form of a subscription, by hand: for a new one and for one that is changed.
import { Choice, Field, html, lang, Sheet, t, Tick, Trouble, useEffect, useRef, useState, me, act, over } from "../../kit.js"
import { faultOf, useLists } from "./words.js"
import { CycleChoice, Length } from "./length.js"
import { Tags } from "./tags.js"

// Fields that the server may complain of.
const fields = ["name", "amount", "currency", "cycle", "first_date", "price_from", "trial_ends_on", "decide_by", "category", "payment_method", "tags", "owner", "private", "merchant", "url", "account", "remind_days", "notes", "min_term", "extension", "notice", "shares"]

/** Keeps what was typed until it is done, also where the page is loaded anew. Gives [values, put, forget, restored]. */
export function useDraft(name, initial) {
	const key = "nodkeep.draft." + me.value.id + "." + name
	const [[first, restored]] = useState(() => {
		try {
			const kept = JSON.parse(sessionStorage.getItem(key))
			if (kept) return [{ ...initial, ...kept }, true]
		} catch {}
		return [initial, false]
	})
	const [values, set] = useState(first)
	const save = (v) => {
		try {
			sessionStorage.setItem(key, JSON.stringify(v))
		} catch {}
		return v
	}
	const put = (field, value) => set((v) => save({ ...v, [field]: value }))
	const forget = (to) => {
		try {
			sessionStorage.removeItem(key)
		} catch {}
		if (to) set(to)
	}
	return [values, put, forget, restored]
}

// What a new one cannot be without, said where it is asked for.
const lacks = (name) => ({ data: { text: { args: [name], text: t("household.web.lacks." + name) } } })

/**
 * Draws the form of values and tells put(field, value); submit() does it and may throw a Problem.
 * With edit, what is only asked for of a new one is left out.
 */
export function Form({ values: v, put, submit, edit, base, verb }) {
	const lists = useLists()
	const [state, say] = useState({})
	const form = useRef()
	const fault = (name) => (state.fault?.name === name ? state.fault.text : "")
	const same = (name, label, more = {}) => ({ label, fault: fault(name), value: v[name] ?? "", onInput: (e) => put(name, e.target.value), ...more })
	const day = (name, label, hint) => html`<${Field} ...${same(name, label, { type: "date", hint })} />`
	const text = (name, label, more) => html`<${Field} ...${same(name, label, { dir: "auto", autocomplete: "off", ...more })} />`

	async function go(e) {
		e.preventDefault()
		if (state.busy) return
		say({ busy: true })
		try {
			const missing = edit ? undefined : ["name", "amount", ...(v.trial ? [] : ["first_date"])].find((n) => !v[n]?.trim())
			if (missing) throw lacks(missing)
			await submit()
			say({})
		} catch (problem) {
			const fault = faultOf(problem, fields)
			say({ problem, fault })
			requestAnimationFrame(() => (form.current?.querySelector("[aria-invalid]") || form.current?.querySelector("[role=alert]"))?.scrollIntoView({ block: "center" }))
			if (fault) requestAnimationFrame(() => {
				const at = form.current?.querySelector("[aria-invalid]")
				at ? at.focus({ preventScroll: true }) : say({ problem }) // of what is not shown it is said below
			})
		}
	}
	const named = (name, label, list, tool) => html`<${Named} label=${label} fault=${fault(name)} value=${v[name] || ""} items=${list} tool=${tool} put=${(x) => put(name, x)} reload=${lists.reload} />`
	const priced = edit && v.amount !== base.amount
	return html`<form ref=${form} class="sub-form" novalidate onSubmit=${go}>
		<section class="panel"><h2 class="unseen">${t("household.web.form.what")}</h2>
			${text("name", t("household.web.name"), { maxlength: 120, required: true })}
			<div class="pair"><${Field} ...${same("amount", t("household.web.amount"), { inputmode: "decimal", autocomplete: "off", required: true })} />
				<${Currency} label=${t("household.web.currency")} fault=${fault("currency")} value=${v.currency} put=${(x) => put("currency", x)} /></div>
			${priced && html`<fieldset class="stack tight"><legend class="unseen">${t("household.web.price.when")}</legend>
				<${Tick} type="radio" name="priced" label=${t("household.web.price.correct")} checked=${!v.dated} onChange=${() => put("dated", false)} />
				<${Tick} type="radio" name="priced" label=${t("household.web.price.from")} checked=${!!v.dated} onChange=${() => put("dated", true)} />
				${v.dated && day("price_from", t("household.web.from"))}</fieldset>`}
			<${CycleChoice} label=${t("household.web.cycle")} fault=${fault("cycle")} value=${v.cycle} put=${(x) => put("cycle", x)} />
			${day("first_date", t("household.web.first"), t("household.web.first.hint"))}
			<${Tick} label=${t("household.web.trial")} checked=${!!v.trial} onChange=${(e) => put("trial", e.target.checked)} />
			${v.trial && html`<div class="pair">${day("trial_ends_on", t("household.web.trial.last"))}${day("decide_by", t("household.web.trial.decide"), t("household.web.trial.decide.else"))}</div>`}
		</section>
		<section class="panel"><h2>${t("household.web.form.sort")}</h2>
			${named("category", t("household.web.category"), lists.categories, "household_category_add")}
			${named("payment_method", t("household.web.method"), lists.methods, "household_payment_method_add")}
			<${Tags} label=${t("household.web.tags")} fault=${fault("tags")} value=${v.tags || ""} put=${(x) => put("tags", x)} known=${lists.tags} />
			<${Choice} label=${t("household.web.owner")} fault=${fault("owner")} value=${v.owner || ""} choices=${[...(v.owner ? [] : [["", "–"]]), ...lists.members.map((m) => [m.id, m.handle])]} onChange=${(e) => put("owner", e.target.value)} />
			<${Tick} label=${t("household.web.private.say")} checked=${!!v.private} onChange=${(e) => put("private", e.target.checked)} />
			${!edit && lists.members.length > 1 && !v.private && html`<${Tick} label=${t("household.web.split.even")} checked=${!!v.even} onChange=${(e) => put("even", e.target.checked)} />`}
		</section>
		<details class="panel" open=${!!v.more} onToggle=${(e) => e.target.open !== !!v.more && put("more", e.target.open)}><summary><h2>${t("household.web.form.more")}</h2></summary>
			<div class="stack">
				${!edit && html`<div class="pair"><${Length} label=${t("household.web.terms.min")} fault=${fault("min_term")} value=${v.min_term} put=${(x) => put("min_term", x)} /><${Length} label=${t("household.web.terms.notice")} fault=${fault("notice")} value=${v.notice} put=${(x) => put("notice", x)} /></div>
				<${Length} label=${t("household.web.terms.extension")} hint=${t("household.web.cycle.else")} fault=${fault("extension")} value=${v.extension} put=${(x) => put("extension", x)} />`}
				${text("merchant", t("household.web.merchant"), { hint: t("household.web.merchant.hint") })}
				${text("url", t("household.web.url"), { type: "url", dir: "ltr", inputmode: "url" })}
				${text("account", t("household.web.account"), { hint: t("household.web.account.hint") })}
				<${Field} ...${same("remind_days", t("household.web.remind"), { type: "number", min: -1, max: 60, hint: t("household.web.remind.hint") })} />
				<${Field} label=${t("household.web.notes")} fault=${fault("notes")} control=${(p) => html`<textarea ...${p} dir="auto" value=${v.notes ?? ""} onInput=${(e) => put("notes", e.target.value)}></textarea>`} />
			</div>
		</details>
		${state.problem && !state.fault && html`<${Trouble} problem=${state.problem} />`}
		<div class="acts end form-acts"><button type="button" onClick=${() => history.back()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy}>${verb}</button></div>
	</form>`
}

let names
function Currency({ label, fault, value, put }) {
	const id = "house-currencies"
	const say = new Intl.DisplayNames([lang.value], { type: "currency" })
	names ??= Intl.supportedValuesOf("currency")
	return html`<${Field} label=${label} fault=${fault} control=${(p) => html`<input ...${p} list=${id} maxlength="3" autocomplete="off" autocapitalize="characters" spellcheck="false" dir="ltr" value=${value ?? ""} onInput=${(e) => put(e.target.value.toUpperCase())} /><datalist id=${id}>${names.map((c) => html`<option value=${c}>${say.of(c)}</option>`)}</datalist>`} />`
}

// A choice among what there is, or something new.
function Named({ label, fault, value, items, tool, put, reload }) {
	const add = async () => {
		const made = await over(NewOne, { title: label, tool })
		if (!made) return
		put(made.id)
		reload()
	}
	return html`<div class="with-new"><${Choice} label=${label} fault=${fault} value=${value} choices=${[["", "–"], ...items.map((c) => [c.id, (c.icon ? c.icon + " " : "") + c.name])]} onChange=${(e) => put(e.target.value)} />
		<button type="button" class="quiet" onClick=${add}>${t("household.web.new.one")}<span class="unseen">: ${label}</span></button></div>`
}

function NewOne({ title, tool, done }) {
	const [v, set] = useState({ name: "", color: "#3f7fbf" })
	const [problem, say] = useState()
	const form = useRef()
	useEffect(() => form.current.querySelector("input").focus(), [])
	const submit = async (e) => {
		e.preventDefault()
		try {
			const made = await act({ tool, args: v }, { quiet: true }) // it is chosen at once: that says it
			if (made) done(made.output)
		} catch (p) {
			say(p)
		}
	}
	return html`<${Sheet} title=${title} close=${() => done()}><form ref=${form} class="stack" novalidate onSubmit=${submit}>
		<${Field} label=${t("household.web.name")} fault=${faultOf(problem, ["name"])?.text || (problem && problem.message)} dir="auto" value=${v.name} onInput=${(e) => set({ ...v, name: e.target.value })} />
		<${Field} label=${t("household.web.color")} type="color" value=${v.color} onInput=${(e) => set({ ...v, color: e.target.value })} />
		<div class="acts end"><button type="button" onClick=${() => done()}>${t("web.cancel")}</button><button class="main">${t("household.web.add")}</button></div>
	</form><//>`
}

