// Why something did not work, as the server's errors say it.

/**
 * An error of the API: kind is one of those in docs/reference/http.md, or "offline" where the server gave no
 * answer. What was asked for may have been done all the same.
 */
export class Problem extends Error {
	constructor({ status = 0, kind = "internal", text = "", data = {}, retry = 0 }) {
		super(text || kind)
		this.status = status
		this.kind = kind
		this.data = data
		this.retry = retry // in how many seconds to try again; 0 is unknown
	}

	static async of(response) {
		const body = await response.json().catch((err) => {
			if (err.name === "AbortError") throw err
		})
		// What is none of the server's is of what stands between: a proxy, or a page to sign in to a network.
		const retry = Number(response.headers.get("Retry-After")) || 0
		if (typeof body?.data !== "object" && itsAlone(response.status)) return new Problem({ kind: "offline", retry })
		return new Problem({
			status: response.status,
			kind: body?.data?.kind || kinds[response.status] || "internal",
			text: body?.data?.text?.text || (body?.data?.kind && body.message) || "", // PocketBase's own are in English alone
			data: body?.data || {},
			retry,
		})
	}
}

// What the server alone can say of itself and of who asks.
const itsAlone = (status) => status >= 500 || status === 401 || status === 403

/** What it means where a module does not come that was only now wanted: nobody answered. */
export function unreached() {
	throw new Problem({ kind: "offline" })
}

// PocketBase's own errors have no kind.
const kinds = { 400: "invalid", 401: "unauthorized", 403: "forbidden", 404: "not_found", 413: "too_large", 429: "limit", 503: "unavailable" }
