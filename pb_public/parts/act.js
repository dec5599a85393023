// How a person does something: looked at first, done once, and taken back.
import { over } from "../lib/over.js"
import { unreached } from "../lib/problem.js"
import { t } from "../lib/i18n.js"
import { apply, look, unanswered } from "./apply.js"
import { say } from "./toast.js"
import { because } from "./state.js"

/**
 * Does what a request says: {tool, args}, or {method, path, body} of an endpoint that takes a digest.
 * It is previewed, and what was previewed is applied by its digest, so that it happens once however
 * often it is sent. What is grave shows its card first; with card "always" all do, with quiet nothing
 * is said afterwards. Gives {output, receipt}, or undefined where the person did not want it; throws a
 * Problem where it cannot be done.
 */
export function act(request, options) {
	const name = JSON.stringify(request)
	if (!underway.has(name)) underway.set(name, once(request, options).finally(() => underway.delete(name)))
	return underway.get(name)
}

// What is being done, by its request: who presses twice means it once.
const underway = new Map()

async function once(request, { card = "grave", quiet = false, done } = {}) {
	const preview = unanswered(request) || (await look(request))
	const result = card === "always" || isGrave(preview) ? await shown(request, preview) : await applied(request, preview)
	if (!result) return undefined
	if (!quiet) told(result.receipt, done)
	return result
}

/** As act, but says itself why it cannot be done. Gives undefined then. */
export async function tryAct(request, options) {
	try {
		return await act(request, options)
	} catch (problem) {
		say(because(problem), { bad: true })
	}
}

const isGrave = (preview) => preview.effect === "destroy" || preview.effect === "send" || preview.card?.grave

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
	const { Nod } = await import("./nod.js").catch(unreached)
	return over(Nod, { request, preview })
}

/** Says what was done, with the way back. */
export function told(receipt, text) {
	const what = receipt?.cards?.[0]?.title?.text
	const said = text || (what ? t("web.did", what) : t("web.done"))
	const back = receipt?.undo_until && receipt.audit?.length
	say(said, { act: back && { label: t("web.undo"), run: () => undo({ audit: receipt.audit }) } })
}

/** Takes entries back: {audit: [id]} or {agent, since}. What is in the way is shown, and what goes without it. */
export async function undo(spec, options) {
	try {
		return await act({ path: "/undo", body: spec }, { done: t("web.undone"), ...options })
	} catch (problem) {
		if (!problem.data?.conflicts?.length) return void say(because(problem), { bad: true })
		const { Conflicts } = await import("./conflicts.js")
		const rest = await over(Conflicts, { spec, problem })
		return rest && undo(rest, { card: "always" })
	}
}
