// One turn as a page knows it, made of the events that the server tells.

/**
 * A turn of which nothing was heard. state is sending, running or over; cut says that the connection is
 * being made again, stopping that it was asked to end.
 */
export const blank = (key) => ({
	key, id: "", text: "", files: [], state: "sending", cut: false, stopping: false,
	assistant: null, warning: null, answer: "", tools: [], cards: [], screens: [], form: null, error: null, finish: "", usage: null,
})

/** What changes of a turn by an event, but for pieces of the answer. */
export function happened(turn, event, data) {
	switch (event) {
		case "start": // also where it is told anew
			return { id: data.turn, state: "running", assistant: data.assistant, warning: data.warning || null, answer: "", tools: [], cards: [], screens: [], form: null, error: null }
		case "tool":
			return { tools: tool(turn.tools, data) }
		case "proposal":
			return { cards: [...turn.cards.filter((c) => !data.id || c.id !== data.id), data] }
		case "screen":
			return { screens: [...turn.screens, data] }
		case "form":
			return { form: data }
		case "error":
			return { error: data }
		case "turn":
			return { state: "over", cut: false, answer: data.text ?? turn.answer, finish: data.finish, usage: data.usage || null }
	}
	return {}
}

// One that ends is the first of its name that is at work.
function tool(all, data) {
	if (data.state === "started") return [...all, data]
	const at = all.findIndex((t) => t.name === data.name && t.state === "started")
	return at < 0 ? [...all, data] : all.map((t, i) => (i === at ? data : t))
}

/**
 * What was answered to the questions of a form, {id: text}: as it was sent, or read of the words that
 * the server made of it, one line for each question.
 */
export function answersTo(form, next) {
	if (!next) return null
	if (next.answers) return next.answers
	const found = {}
	for (const q of form.questions) {
		const line = next.text.split("\n").find((l) => l.startsWith(q.text + " "))
		if (line && line !== q.text + " –") found[q.id] = line.slice(q.text.length + 1)
	}
	return found
}
