// The events of a turn, read from the server as they come, whatever the network does meanwhile.
import { get, send } from "./api.js"
import { Problem } from "./problem.js"

// The server says every 15 seconds that it is there; what says nothing for longer is lost.
const silence = 40000
// How long to wait before each further try, in milliseconds.
const waits = [0, 500, 1000, 2000, 4000, 8000, 15000]

/**
 * Reads server-sent events from a stream of bytes: {id, event, data} each, data as JSON. Letters and
 * events may be cut anywhere; comments say only that somebody is there: heard() is told of all that comes.
 */
export async function* events(body, heard = () => {}) {
	const reader = body.getReader()
	const decoder = new TextDecoder()
	let rest = ""
	try {
		for (;;) {
			const { value, done } = await reader.read()
			if (done) return
			heard()
			rest += decoder.decode(value, { stream: true })
			// A line may end with \r\n: where it is cut between the two, the \n comes with the next piece.
			const parts = rest.replace(/\r\n/g, "\n").split("\n\n")
			rest = parts.pop()
			for (const part of parts) {
				const one = event(part)
				if (one) yield one
			}
		}
	} finally {
		reader.cancel().catch(() => {})
	}
}

function event(part) {
	const one = { id: 0, event: "message", data: "" }
	for (const line of part.split("\n")) {
		const at = line.indexOf(":")
		if (at <= 0) continue // a comment, or nothing
		const name = line.slice(0, at), value = line.slice(at + 1).replace(/^ /, "")
		if (name === "id") one.id = Number(value)
		else if (name === "event") one.event = value
		else if (name === "data") one.data += (one.data && "\n") + value
	}
	if (!one.data) return null
	one.data = JSON.parse(one.data)
	return one
}

/**
 * Follows a turn until it is over. question() gives what to POST; the same again, which carries the same
 * client_id, is the same turn, so that nothing is asked twice. turn is one that is known already, after
 * the number of the event that was seen last. tell({event, data}) is told of each event once, but of all after another start; cut(true)
 * that the connection is lost and being made again, cut(false) that it stands. Throws a Problem where
 * the server refuses, and an AbortError by signal.
 */
export async function follow({ question, turn = "", after = 0, tell, cut = () => {}, signal }) {
	for (let tries = 0; ; tries++) {
		const own = new AbortController()
		const end = () => own.abort(signal.reason)
		signal?.addEventListener("abort", end)
		const cutOff = () => own.abort() // it would be noticed late: a connection that is gone says nothing
		addEventListener("offline", cutOff)
		let timer
		const alive = () => (clearTimeout(timer), (timer = setTimeout(() => own.abort(), silence)))
		try {
			signal?.throwIfAborted()
			const response = turn
				? await get("/ask/" + turn, { after }, { raw: true, signal: own.signal })
				: await send("POST", "/ask", { body: question(), raw: true, signal: own.signal })
			cut(false)
			alive()
			for await (const one of events(response.body, alive)) {
				// What a killed server left is told anew from number 1: whoever is told begins anew with the start.
				after = one.id || after
				if (one.event === "start") turn = one.data.turn
				tries = 0
				tell(one)
				if (one.event === "turn") return
			}
		} catch (problem) {
			if (signal?.aborted) throw problem
			if (problem instanceof Problem && problem.kind !== "offline" && !(turn && again(problem))) throw problem
			if (problem.retry) await pause(problem.retry * 1000, signal)
		} finally {
			clearTimeout(timer)
			removeEventListener("offline", cutOff)
			signal?.removeEventListener("abort", end)
		}
		cut(true)
		await pause(waits[Math.min(tries, waits.length - 1)], signal)
	}
}

// What may be otherwise a moment later: the server begins anew, or has too many streams open.
const again = (problem) => problem.kind === "unavailable" || problem.kind === "limit" || problem.status >= 502

// Waits, less where the network comes back.
function pause(time, signal) {
	return new Promise((resolve, reject) => {
		const end = (then) => () => {
			clearTimeout(timer)
			removeEventListener("online", back)
			signal?.removeEventListener("abort", gone)
			then(signal?.reason)
		}
		const back = end(resolve), gone = end(reject)
		const timer = setTimeout(back, time)
		addEventListener("online", back)
		signal?.addEventListener("abort", gone)
	})
}
