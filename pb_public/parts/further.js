// The end of a list that comes 50 at a time: what follows comes as one scrolls, or by a press.
import { html, useEffect, useRef } from "../lib/html.js"
import { t } from "../lib/i18n.js"

/** more() asks for what follows the count that stand there; busy says that it is under way. What failed waits for a press. */
export function Further({ count, more, busy }) {
	const at = useRef()
	const own = useRef()
	own.current = more
	useEffect(() => {
		const seen = new IntersectionObserver(([e]) => e.isIntersecting && (seen.disconnect(), own.current()), { rootMargin: "600px" })
		seen.observe(at.current)
		return () => seen.disconnect()
	}, [count])
	return html`<div ref=${at} class="acts"><button disabled=${busy} onClick=${more}>${t("web.people.more")}</button></div>`
}
