// How a person does something: looked at first, done once, and taken back.
import { html } from "../lib/html.js"
import { post, send } from "../lib/api.js"
import { over } from "../lib/over.js"
import { t } from "../lib/i18n.js"
import { say } from "./toast.js"
import { because } from "./state.js"

/**
 * Does what a request says: {tool, args}, or {method, path, body} of an endpoint that takes a digest.
 * It is previewed, and what was previewed is applied by its digest, so that it happens once however
 * often it is sent. What is grave shows its card first; with card "always" all do, with quiet nothing
 * is said afterwards. Gives {output, receipt}, or undefined where the person did not want it; throws a
 * Problem where it cannot be done.
 */
export async function act(request, { card = "grave", quiet = false, done } = {}) {
	const preview = lost.get(JSON.stringify(request)) || (await look(request))
	const result = card === "always" || isGrave(preview) ? await shown(request, preview) : await applied(request, preview)
	if (!result) return undefined
	if (!quiet) told(result.receipt, done)
	return result
}

// What was sent and never answered, by its request. Whoever asks for the same again then means that: the
// digest says whether it was done, and does it only where it was not.
const lost = new Map()

/** As act, but says itself why it cannot be done. Gives undefined then. */
export async function tryAct(request, options) {
	try {
		return await act(request, options)
	} catch (problem) {
		say(because(problem), { bad: true })
	}
}

const isGrave = (preview) => preview.effect === "destroy" || preview.effect === "send" || preview.card?.grave

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

// A plain change that became another between the two is simply looked at anew.
async function applied(request, preview) {
	try {
		return await apply(request, preview)
	} catch (problem) {
		if (problem.kind !== "stale" && problem.kind !== "expired") throw problem
		const now = await look(request)
		return isGrave(now) ? shown(request, now) : apply(request, now)
	}
}

async function shown(request, preview) {
	const { Nod } = await import("./nod.js")
	return over(Nod, { request, preview })
}

/** Says what was done, with the way back. */
export function told(receipt, text) {
	const said = text || receipt?.cards?.[0]?.title?.text || t("web.done")
	const back = receipt?.undo_until && receipt.audit?.length
	say(said, { act: back && { label: t("web.undo"), run: () => undo({ audit: receipt.audit }) } })
}

/** Takes entries back: {audit: [id]} or {agent, since}. What is in the way is shown. */
export async function undo(spec) {
	try {
		return await act({ path: "/undo", body: spec }, { done: t("web.undone") })
	} catch (problem) {
		if (!problem.data?.conflicts?.length) return void say(because(problem), { bad: true })
		const { Conflicts } = await import("./conflicts.js")
		return over(Conflicts, { spec, problem })
	}
}
