// Making an account for somebody.
import { html, useState } from "../../lib/html.js"
import { t } from "../../lib/i18n.js"
import { over } from "../../lib/over.js"
import { act } from "../../parts/act.js"
import { Sheet } from "../../parts/dialog.js"
import { Choice, Field, Tick } from "../../parts/field.js"
import { Trouble } from "../../parts/state.js"
import { Once } from "../../parts/once.js"

const languages = [["", ""], ["en", "English"], ["de", "Deutsch"], ["es", "Español"]]

/** Asks for a handle and what else is known, and shows the password that was made. */
export function AddAccount({ done }) {
	const [state, say] = useState({})

	async function submit(e) {
		e.preventDefault()
		const form = new FormData(e.target)
		const body = { handle: form.get("handle").trim(), operator: form.get("operator") === "on" }
		for (const name of ["email", "language"]) if (form.get(name)) body[name] = form.get(name).trim()
		say({ busy: true })
		try {
			const made = await act({ path: "/operator/accounts", body }, { card: body.operator ? "always" : "grave", quiet: true })
			if (!made) return say({})
			if (made.output.password) await over(Once, { title: made.output.handle, about: t("web.operator.add.password", made.output.handle), secret: made.output.password })
			done(true)
		} catch (problem) {
			say({ problem })
		}
	}

	return html`<${Sheet} title=${t("web.operator.add")} close=${() => done()} acts=${html`<button onClick=${() => done()}>${t("web.cancel")}</button><button class="main" form="op-add" disabled=${state.busy}>${t("web.operator.add.do")}</button>`}>
		<form id="op-add" class="stack" onSubmit=${submit}>
			${state.problem && html`<${Trouble} problem=${state.problem} />`}
			<${Field} label=${t("web.operator.handle")} hint=${t("web.operator.handle.hint")} name="handle" required maxlength="40" autocapitalize="none" autocomplete="off" spellcheck=${false} autofocus />
			<${Field} label=${t("web.operator.account.email")} hint=${t("web.operator.optional")} name="email" type="email" autocomplete="off" />
			<${Choice} label=${t("web.operator.language")} name="language" value="" choices=${languages.map(([v, label]) => [v, label || t("web.operator.language.any")])} />
			<${Tick} label=${t("web.operator.add.operator")} name="operator" />
		</form>
	<//>`
}
