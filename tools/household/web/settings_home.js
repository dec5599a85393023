// Currency, time zone, language, and when it is reminded.
import { act, Choice, day, Field, html, lang, Loaded, moment, read, t, Trouble, useData, useState } from "../../kit.js"

export function Home() {
	const found = useData((o) => read("household_settings_get", {}, o), [], { watch: ["household_settings"] })
	return html`<${Loaded} of=${found}>${(h) => html`<${Form} h=${h} reload=${found.reload} />`}<//>`
}

const supported = (what) => (Intl.supportedValuesOf ? Intl.supportedValuesOf(what) : [])
const hour = (n) => moment(Date.UTC(2000, 0, 1, n), { hour: "2-digit", minute: "2-digit", timeZone: "UTC" })

// What somebody has typed stands before what there is, until it is saved.
function Form({ h, reload }) {
	const [own, put] = useState({})
	const [state, say] = useState({})
	const currencies = new Intl.DisplayNames(lang.value, { type: "currency" })

	const is = (name) => own[name] ?? String(h[name])
	const typed = (name) => ({ name, value: is(name), onInput: (e) => put((o) => ({ ...o, [name]: e.target.value })) })

	async function save(e) {
		e.preventDefault()
		const want = { currency: is("currency").trim().toUpperCase(), time_zone: is("time_zone").trim(), language: is("language"), remind_days: Number(is("remind_days")), remind_hour: Number(is("remind_hour")) }
		const args = Object.fromEntries(Object.entries(want).filter(([n, v]) => v !== h[n]))
		if (!Object.keys(args).length) return say({ same: true })
		say({ busy: true })
		try {
			await act({ tool: "household_settings_update", args })
			await reload()
			put({})
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	const days = [...new Set([-1, 0, 1, 2, 3, 5, 7, 14, 30, h.remind_days])].sort((a, b) => a - b)
	const inDays = (n) => (n < 0 ? t("household.web.money.never") : n === 0 ? t("household.web.remind.same") : t("household.web.remind.before", n))
	return html`<section class="panel"><h2>${t("household.web.part.general")}</h2>
		${h.problem && html`<p class="note warn">${h.problem}</p>`}
		<form class="stack" onSubmit=${save}>
			<div class="grid">
				<${Field} label=${t("household_settings.currency")} ...${typed("currency")} required maxlength="3" list="money-currencies" autocapitalize="characters" autocomplete="off" hint=${t("household.web.currency.hint")} />
				<${Field} label=${t("household_settings.time_zone")} ...${typed("time_zone")} required list="money-zones" autocomplete="off" spellcheck=${false} hint=${t("household.web.zone.hint", day(h.today))} />
				<${Choice} label=${t("household_settings.language")} ...${typed("language")} hint=${t("household.web.language.hint")} choices=${["en", "de", "es"].map((l) => [l, t("household.language." + l)])} />
				<${Choice} label=${t("household.web.money.remind")} ...${typed("remind_days")} choices=${days.map((n) => [String(n), inDays(n)])} />
				<${Choice} label=${t("household_settings.remind_hour")} ...${typed("remind_hour")} choices=${[...Array(24).keys()].map((n) => [String(n), hour(n)])} />
			</div>
			<datalist id="money-currencies">${supported("currency").map((c) => html`<option value=${c}>${currencies.of(c)}</option>`)}</datalist>
			<datalist id="money-zones">${supported("timeZone").map((z) => html`<option value=${z} />`)}</datalist>
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<div class="acts"><button class="main" disabled=${state.busy}>${t("household.web.save")}</button>${state.same && html`<span class="soft" role="status">${t("household.web.same")}</span>`}</div>
		</form>
	</section>`
}
