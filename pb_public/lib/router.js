// Addresses behind the #: they need nothing of the server, and work in whatever folder the front end is served.
import { computed, signal } from "./html.js"

const parse = () => {
	const [path, query] = (location.hash.slice(1) || "/").split("?")
	return { path: "/" + path.split("/").filter(Boolean).map(decode).join("/"), query: Object.fromEntries(new URLSearchParams(query || "")) }
}

function decode(part) {
	try {
		return decodeURIComponent(part)
	} catch {
		return part
	}
}

/** Where the person is: {path, query}. */
export const route = signal(parse())
addEventListener("hashchange", () => (route.value = parse()))

/** The address of a path, for a link. */
export function href(path, query) {
	const q = new URLSearchParams(Object.entries(query || {}).filter(([, v]) => v !== undefined && v !== null && v !== ""))
	return "#" + path.split("/").map(encodeURIComponent).join("/") + (q.size ? "?" + q : "")
}

/** Goes to a path; replace leaves no way back, for what only sharpens the same page. */
export function go(path, query, { replace = false } = {}) {
	const to = href(path, query)
	if (!replace) location.hash = to
	else {
		history.replaceState(history.state, "", to)
		route.value = parse()
	}
}

/** Matches "/a/{id}" against a path; gives its parameters or null. */
export function match(pattern, path) {
	const want = pattern.split("/"), have = path.split("/"), params = {}
	if (want.length !== have.length) return null
	for (const [i, part] of want.entries()) {
		if (part.startsWith("{")) params[part.slice(1, -1)] = have[i]
		else if (part !== have[i]) return null
	}
	return params
}

/** The first part of the path, by which the navigation says where one is. */
export const place = computed(() => "/" + (route.value.path.split("/")[1] || ""))
