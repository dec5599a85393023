// Why something did not work, as the server's errors say it.

/** An error of the API: kind is one of those in docs/reference/http.md, or "offline" where nobody answered. */
export class Problem extends Error {
	constructor({ status = 0, kind = "internal", text = "", data = {}, retry = 0 }) {
		super(text || kind)
		this.status = status
		this.kind = kind
		this.data = data
		this.retry = retry // in how many seconds to try again; 0 is unknown
	}

	static async of(response) {
		let body = {}
		try {
			body = await response.json()
		} catch {}
		return new Problem({
			status: response.status,
			kind: body.data?.kind || kinds[response.status] || "internal",
			text: body.data?.text?.text || body.message || "",
			data: body.data || {},
			retry: Number(response.headers.get("Retry-After")) || 0,
		})
	}
}

// PocketBase's own errors have no kind.
const kinds = { 400: "invalid", 401: "unauthorized", 403: "forbidden", 404: "not_found", 413: "too_large", 429: "limit", 503: "unavailable" }
