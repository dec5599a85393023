// Keeps the files of the front end on the device, so that it opens at once and without
// a network. The server writes VERSION and FILES before this: other files are another
// worker, which takes over whole once no page needs the old ones: two versions are never mixed.
const KEPT = "files-" + VERSION

addEventListener("install", (e) => {
	e.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(["./", ...FILES].map((name) => new Request(name, { cache: "no-cache" })))))
})

// Pages that are open go on with the files that they began with, until they say so or are gone.
addEventListener("message", (e) => e.data === "take over" && skipWaiting())

addEventListener("activate", (e) => {
	const old = caches.keys().then((names) => Promise.all(names.filter((n) => n.startsWith("files-") && n !== KEPT).map((n) => caches.delete(n))))
	e.waitUntil(old.then(() => clients.claim()))
})

addEventListener("fetch", (e) => {
	const url = new URL(e.request.url)
	const home = new URL("./", location)
	if (e.request.method !== "GET" || url.origin !== location.origin) return
	if (url.pathname.startsWith("/api/nodkeep/texts/") || url.pathname === "/api/nodkeep/") return e.respondWith(fresh(e.request))
	const name = url.pathname === home.pathname ? "./" : url.pathname.slice(home.pathname.length)
	if (url.pathname.startsWith(home.pathname) && (name === "./" || FILES.includes(name))) e.respondWith(kept(e.request, name))
})

async function kept(request, name) {
	const there = caches.open(KEPT).then((cache) => cache.match(new URL(name, location)))
	return (await there.catch(() => null)) || fetch(request) // a disk that fails keeps nobody out
}

// What all pages begin with comes from the server, and from here only without it, or while it is not well.
async function fresh(request) {
	const cache = await caches.open("start").catch(() => null)
	const response = await fetch(request).catch(() => null)
	if (response?.ok) {
		await cache?.put(request, response.clone()).catch(() => {}) // nor does a full one
		return response
	}
	const last = await cache?.match(request).catch(() => null)
	if (!last) return response || Response.error()
	const headers = new Headers(last.headers)
	headers.delete("Date") // is not the time it is
	return new Response(last.body, { status: last.status, headers })
}
