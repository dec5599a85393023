// Keys that work on every page.
import { over } from "../lib/over.js"

let open = false

/** Opens the palette: everything that can be done, by its name. */
export async function openPalette() {
	if (open) return
	open = true
	try {
		const { Palette } = await import("./palette.js")
		const chosen = await over(Palette, { openKeys })
		open = false
		await chosen?.run()
	} finally {
		open = false
	}
}

/** Opens the list of these keys. */
export async function openKeys() {
	const { Keys } = await import("./shortcuts.js")
	return over(Keys, { withCtrl })
}

/** Hears keys. */
export function keys(e) {
	if (!(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey) return
	if (e.key.toLowerCase() === "k") openPalette()
	else if (e.key === "/") openKeys()
	else return
	e.preventDefault()
}

/** How a key with Ctrl is called here. */
export const withCtrl = (key) => (/Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl+") + key
