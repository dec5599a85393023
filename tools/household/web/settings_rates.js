// The exchange rates that conversions use, and the file by which operators bring them.
import { act, day, Endless, Field, html, me, read, t, Trouble, useState } from "../../kit.js"

const most = 2_900_000 // bytes; the server takes 3 MiB with all around it

export function Rates() {
	const [currency, only] = useState("")
	const row = (r) => {
		const rates = Object.entries(r.rates)
		return html`<details><summary>${day(r.date)} <span class="soft">${r.source} · ${rates.length === 1 ? rates[0].reverse().join(" ") : t("household.web.currencies", rates.length)}</span></summary>
			<p class="number">${rates.sort().map(([c, v]) => html`<span class="chip" key=${c}>${v + " " + c}</span> `)}</p></details>`
	}
	return html`${me.value.operator && html`<${Import} />`}
		<section class="panel"><header><h2>${t("household.title.rate_list")}</h2></header>
			<p class="soft">${t("household.web.rates.about")}</p>
			<div class="span"><${Field} label=${t("household.web.rates.only")} maxlength="3" autocapitalize="characters" autocomplete="off" value=${currency} onInput=${(e) => only(e.target.value.trim().toUpperCase())} /></div>
			<${Endless} key=${currency.length === 3 ? currency : ""} label=${t("household.title.rate_list")} watch=${["household_rates"]} empty=${t("household.web.rates.none")}
				load=${(cursor, o) => read("household_rate_list", { limit: 50, cursor, ...(currency.length === 3 && { currency }) }, o)} row=${row} /></section>`
}

function Import() {
	const [state, say] = useState({})
	async function take(e) {
		const file = e.target.files[0]
		if (!file) return
		if (file.size > most) return say({ large: true })
		say({ busy: true })
		try {
			await act({ tool: "household_rate_import", args: { file: await file.text() } }, { card: "always" })
			say({})
		} catch (problem) {
			say({ problem })
		}
		e.target.value = ""
	}
	return html`<section class="panel"><h2>${t("household.title.rate_import")}</h2>
		<${Field} label=${t("household.web.rates.file")} hint=${t("household.web.rates.hint")} type="file" accept=".csv,.xml,text/csv,text/xml" disabled=${state.busy} onChange=${take} fault=${state.large && t("household.web.file.large")} />
		${state.problem && html`<${Trouble} problem=${state.problem} />`}</section>`
}
