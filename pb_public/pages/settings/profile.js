// One field of the profile, as it is typed and kept.
import { useState } from "../../lib/html.js"
import { post } from "../../lib/api.js"
import { me } from "../../lib/store.js"
import { t } from "../../lib/i18n.js"
import { because } from "../../parts/state.js"
import { say } from "../../parts/toast.js"

/** Gives what is typed of a field of /me, type(text), why it was refused, whether it can be saved, and save(event) for its form. */
export function useProfile(name) {
	const kept = me.value[name] || ""
	const [text, type] = useState()
	const [fault, wrong] = useState("")
	const [busy, work] = useState(false)
	const typed = text ?? kept
	async function save(e) {
		e.preventDefault()
		work(true)
		wrong("")
		try {
			me.value = await post("/me", { [name]: typed.trim() })
			type((now) => (now === text ? undefined : now)) // what was typed meanwhile stays
			say(t("web.settings.saved"))
		} catch (problem) {
			wrong(because(problem))
		}
		work(false)
	}
	return { typed, type, fault, ready: !busy && typed.trim() !== kept, save }
}
