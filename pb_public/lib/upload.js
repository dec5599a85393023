// Handing over a file, saying how far it has come: fetch does not tell.
import { get, said, token } from "./api.js"
import { lang } from "./i18n.js"
import { Problem } from "./problem.js"
import { online } from "./store.js"

/**
 * Posts a form to a path under /api/nodkeep. progress(part) is told from 0 to 1 as it goes out.
 * Gives the answer's JSON or throws a Problem, as send does; a session that has ended is renewed over the page.
 */
export async function upload(path, form, { progress, signal } = {}) {
	const used = await token()
	try {
		return await said(await sent(path, form, progress, signal, used))
	} catch (problem) {
		if (problem.status !== 401) throw problem
	}
	await get("/me", {}, { signal }) // waits until the person has signed in again
	return upload(path, form, { progress, signal })
}

function sent(path, form, progress, signal, used) {
	return new Promise((resolve, reject) => {
		const x = new XMLHttpRequest()
		x.open("POST", "/api/nodkeep" + path)
		x.setRequestHeader("Accept-Language", lang.value)
		if (used) x.setRequestHeader("Authorization", used)
		x.upload.onprogress = (e) => e.lengthComputable && progress?.(e.loaded / e.total)
		const header = (name) => [name, x.getResponseHeader(name) || ""]
		x.onload = () => resolve(new Response(x.response, { status: x.status, headers: ["Date", "Retry-After"].map(header) }))
		x.onerror = () => {
			online.value = navigator.onLine // a file may have changed on the disk since it was chosen, too
			reject(new Problem({ kind: "offline" }))
		}
		x.onabort = () => reject(new DOMException("", "AbortError"))
		signal?.addEventListener("abort", () => x.abort())
		x.send(form)
	})
}
