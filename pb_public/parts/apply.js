// A change in two steps: what it would do, and just that, by its digest.
import { send } from "../lib/api.js"

const address = ({ tool, method = "POST", path }) => [tool ? "POST" : method, tool ? "/tools/" + tool : path]
const body = ({ tool, args, body }) => (tool ? args || {} : body || {})

/** What a request would do: {output, effect, card, changes, unseen, sends, money, digest, expires}. */
export const look = (request) => send(...address(request), { body: body(request), query: { preview: 1 } })

/** Applies what preview shows. An answer that was lost is asked for again: a digest is good for once. */
export async function apply(request, preview) {
	const headers = { "X-Nodkeep-Digest": preview.digest }
	const name = JSON.stringify(request)
	lost.delete(name)
	for (let tries = 0; ; tries++) {
		try {
			return await send(...address(request), { body: body(request), headers })
		} catch (problem) {
			if (problem.kind === "conflict" && problem.data.audit?.length && (tries || preview.sent)) return { output: preview.output, receipt: { audit: problem.data.audit, changes: preview.changes, cards: [preview.card], undo_until: preview.expires } }
			if (problem.kind !== "offline") throw problem
			if (tries === 2) {
				preview.sent = true
				lost.set(name, preview)
				throw problem
			}
			await new Promise((resolve) => setTimeout(resolve, 400 * (tries + 1)))
		}
	}
}

// What was sent and never answered, by its request. Whoever asks for the same again then means that: the
// digest says whether it was done, and does it only where it was not.
const lost = new Map()

/** The preview of what was sent and never answered, where that is the same request. */
export const unanswered = (request) => lost.get(JSON.stringify(request))
