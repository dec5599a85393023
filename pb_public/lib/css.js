// Styles that only some pages need: they come with the module that draws what they are for.

const come = new Map() // address -> promise

/**
 * Loads a style and waits for it, once however often it is asked for: css("NAME") is
 * css/NAME.css of the front end, css(new URL("./x.css", import.meta.url)) one beside a
 * plugin's module. Said at the top of the module, nothing of it is drawn before:
 * await css("NAME"). A style that does not come keeps nobody from the page.
 */
export function css(name) {
	const address = (name instanceof URL ? name : new URL("../css/" + name + ".css", import.meta.url)).href
	if (!come.has(address)) come.set(address, add(address))
	return come.get(address)
}

function add(address) {
	return new Promise((done) => {
		const link = document.createElement("link")
		link.rel = "stylesheet"
		link.href = address
		link.onload = done
		link.onerror = () => (link.remove(), come.delete(address), done())
		document.head.append(link)
	})
}
