// What comes only when it is first wanted, so that the first page does not wait for it.
import { html, useEffect, useState } from "./html.js"

/** A component of a module that comes when it is first drawn; until then, and without a network, nothing stands there. */
export function later(load, name = "default") {
	let known
	return function Later(props) {
		const [module, set] = useState(known)
		useEffect(() => {
			let here = true
			if (!module) load().then((m) => ((known = m), here && set(m)), () => {})
			return () => (here = false)
		}, [])
		return module ? html`<${module[name]} ...${props} />` : null
	}
}
