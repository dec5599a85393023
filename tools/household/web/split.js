// Who bears what of a subscription.
import { act, Choice, Field, html, Sheet, t, Trouble, useRef, useState } from "../../kit.js"
import { decimal } from "./words.js"

/** The whole list of shares over the page; by weight, or a fixed part. */
export function Split({ s, members, done }) {
	const [rows, set] = useState(() => (s.shares?.length ? s.shares.map((x) => ({ who: x.member || "", person: x.person || "", kind: x.fixed ? "fixed" : "weight", value: String(x.fixed || x.weight) })) : members.map((m) => ({ who: m.id, person: "", kind: "weight", value: "1" }))))
	const [state, say] = useState({})
	const form = useRef()
	const put = (i, change) => set(rows.map((r, j) => (i === j ? { ...r, ...change } : r)))

	async function submit(e) {
		e.preventDefault()
		say({ busy: true })
		const shares = rows.map((r) => ({ ...(r.who ? { member: r.who } : { person: r.person.trim() }), ...(r.kind === "fixed" ? { fixed: decimal(r.value) } : { weight: Number(r.value) || 0 }) }))
		try {
			const result = await act({ tool: "household_subscription_share", args: { id: s.id, ...(shares.length ? { shares } : { clear: true }) } })
			if (result) return done(result)
			say({})
		} catch (problem) {
			say({ problem })
		}
	}

	const who = [...members.map((m) => [m.id, m.handle]), ["", t("household.web.shares.other")]]
	return html`<${Sheet} title=${t("household.web.split")} close=${() => done()} acts=${html`<button onClick=${() => done()}>${t("web.cancel")}</button><button class="main" disabled=${state.busy} onClick=${() => form.current.requestSubmit()}>${t("household.web.save")}</button>`}>
		<form ref=${form} class="stack" novalidate onSubmit=${submit}>
			<p class="soft">${t("household.web.split.say")}</p>
			${rows.map((r, i) => html`<fieldset class="split" key=${i}><legend class="unseen">${t("household.web.shares.one", i + 1)}</legend>
				<${Choice} label=${t("household.web.shares.who")} value=${r.who} choices=${who} onChange=${(e) => put(i, { who: e.target.value })} />
				${!r.who && html`<${Field} label=${t("household.web.shares.name")} dir="auto" value=${r.person} onInput=${(e) => put(i, { person: e.target.value })} />`}
				<${Choice} label=${t("household.web.shares.kind")} value=${r.kind} choices=${[["weight", t("household.web.shares.weight")], ["fixed", t("household.web.shares.fixed", s.currency)]]} onChange=${(e) => put(i, { kind: e.target.value })} />
				<${Field} label=${r.kind === "fixed" ? t("household.web.amount") : t("household.web.shares.parts")} inputmode="decimal" value=${r.value} onInput=${(e) => put(i, { value: e.target.value })} />
				<button type="button" class="quiet" onClick=${() => set(rows.filter((_, j) => j !== i))}>${t("household.web.remove")}</button>
			</fieldset>`)}
			<button type="button" onClick=${() => set([...rows, { who: "", person: "", kind: "weight", value: "1" }])}>${t("household.web.shares.add")}</button>
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
		</form>
	<//>`
}
