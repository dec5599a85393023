// What comes only when it is first wanted, so that the first page does not wait for it.
import { html, useEffect, useState } from "./html.js"

const often = 3000

/** A component of a module that comes when it is first drawn; until then, as long as there is no network, nothing stands there. */
export function later(load, name = "default") {
	let known
	return function Later(props) {
		const [module, set] = useState(known)
		useEffect(() => {
			let here = true, timer
			const come = () => load().then((m) => ((known = m), here && set(m)), () => here && (timer = setTimeout(come, often)))
			if (!module) come()
			return () => ((here = false), clearTimeout(timer))
		}, [])
		return module ? html`<${module[name]} ...${props} />` : null
	}
}
