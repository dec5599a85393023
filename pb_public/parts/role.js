// Who somebody is may change while they are here: an operator names them one, or suspends them.
import { get } from "../lib/api.js"
import { hear } from "../lib/live.js"
import { me } from "../lib/store.js"

/** Hears of one's own account, and asks anew who one is. Whoever was cut off asks too: the session may have ended. */
export const hearRole = () =>
	hear(["users"], async (_, event) => {
		if (!me.value || (event && event.record?.id !== me.value.id)) return
		try {
			const now = await get("/me")
			if (me.value && JSON.stringify(now) !== JSON.stringify(me.value)) me.value = now
		} catch {} // what is asked next says it
	})
