// Which assistants there are for this person.
import { computed, signal } from "./html.js"
import { get } from "./api.js"
import { kept, me } from "./store.js"

/** Who is asked, and how much it shall think; "" is as the server has it. */
export const chosen = kept("assistant", "")
export const effort = kept("effort", "")

/** {items, more}: those that may be asked, and those that one can ask for; null before they are known. */
export const assistants = signal(null)

/** The one that is asked next, or undefined. */
export const current = computed(() => {
	const all = assistants.value?.items || []
	return all.find((a) => a.id === chosen.value) || all.find((a) => a.agreed) || all[0]
})

/** Loads them; what was known stays where that fails. */
export async function loadAssistants() {
	try {
		assistants.value = await get("/me/assistants")
	} catch {}
}

me.subscribe((m) => !m && (assistants.value = null))
