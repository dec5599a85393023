// What a person and an assistant say to each other. The panel and the page show the same,
// and closing them, or going elsewhere, ends nothing: a turn is the server's.
import { batch, computed, effect, signal } from "./html.js"
import { get, pb, post } from "./api.js"
import { hear } from "./live.js"
import { chosen, effort } from "./assistants.js"
import { me, record, ticked } from "./store.js"
import { follow } from "./stream.js"
import { blank, happened } from "./turn.js"

/** The id of the conversation, "" before its first answer. */
export const conversation = signal("")

/** Its turns, the oldest first; each a signal of what lib/turn.js says. */
export const turns = signal([])

/** What is written and not asked yet. */
export const draft = signal("")

/** Files that go with the next question: [{file, name, show}]. */
export const files = signal([])

/** Why the last question was not taken. */
export const trouble = signal(null)

/** What the next question is about, as it was chosen: all, ticked, record, tree; "" as it fits. */
export const reach = signal("")

/** Whether what only this person sees goes to the assistant, too. */
export const secret = signal(false)

/** What the next question is about, as the server takes it. */
export const scope = computed(() => {
	const of = reach.value, plain = ({ collection, id }) => ({ collection, id })
	if ((of === "" || of === "ticked") && ticked.value.length) return { of: "ticked", records: ticked.value.map(plain) }
	if ((of === "record" || of === "tree") && record.value) return { of, records: [plain(record.value)] }
	return { of: "all" }
})

/** The turn that is under way, or undefined. */
export const running = computed(() => turns.value.find((t) => t.value.state !== "over"))

let cuts = new AbortController() // ends what is being read, not what is being done
let lost = null // a question of which nobody knows whether it arrived

// A name of one's own for a question. randomUUID is not there on plain http.
const name = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("")

/** Asks: words, or answers to the questions of the turn before. */
export function say(text, answers) {
	if (running.value) return
	const sent = {
		conversation: conversation.value || undefined, ...(answers ? { answers } : { text }),
		scope: answers ? undefined : { ...scope.value, private: secret.value }, assistant: chosen.value || undefined, effort: effort.value || undefined,
		show: files.value.filter((f) => f.show).map((f) => f.name),
	}
	const same = lost && JSON.stringify(lost.sent) === JSON.stringify(sent) && !files.value.length
	begin({ client_id: same ? lost.client_id : name(), ...sent }, text, files.value)
	batch(() => ((draft.value = ""), (files.value = []), (trouble.value = null)))
}

function begin(question, text, attached) {
	lost = null
	const turn = signal({ ...blank(question.client_id), text, files: attached.map((f) => f.name), answers: question.answers, question })
	turns.value = [...turns.value, turn]
	const pack = () => {
		if (!attached.length) return question
		const form = new FormData()
		form.append("question", JSON.stringify(question))
		for (const f of attached) form.append("file", f.file, f.name)
		return form
	}
	listen(turn, { question: pack }).catch((problem) => {
		if (problem.name === "AbortError" || turn.value.id) return
		// Nothing of it was done: it stands where it was written.
		batch(() => {
			turns.value = turns.value.filter((t) => t !== turn)
			if (!draft.value && !question.answers) draft.value = text
			if (!files.value.length) files.value = attached
			trouble.value = problem
		})
		if (problem.kind === "conflict") refresh() // another window may have asked here
	})
}

// Reads a turn, and gives its promise.
async function listen(turn, from) {
	const { signal: gone } = cuts
	const change = (with_) => !gone.aborted && (turn.value = { ...turn.value, ...with_ })
	let words = "", timer
	const flush = () => {
		clearTimeout(timer)
		timer = 0
		if (words) change({ answer: turn.value.answer + words })
		words = ""
	}
	const tell = ({ event, data }) => {
		if (gone.aborted) return
		if (event === "delta") {
			words += data.text
			timer ||= setTimeout(flush, 40) // the eye reads no faster
			return
		}
		flush()
		// Of what was said before, a card is shown as it stands now: it may have been decided since.
		if (from.past && event === "proposal" && data.id) return void get("/proposals/" + data.id).catch(() => data).then((now) => change(happened(turn.value, event, now)))
		change(happened(turn.value, event, data))
		if (event === "start") {
			conversation.value = data.conversation
			if (turns.value.some((t) => t !== turn && t.value.id === data.turn)) turns.value = turns.value.filter((t) => t === turn || t.value.id !== data.turn)
			if (turn.value.stopping) stop()
		}
	}
	try {
		await follow({ ...from, tell, signal: gone, cut: (is) => turn.value.cut !== is && change({ cut: is }) })
	} catch (problem) {
		if (problem.name !== "AbortError" && turn.value.id) change({ state: "over", error: turn.value.error || { kind: problem.kind, text: { text: problem.kind === "not_found" ? "" : problem.message } } })
		throw problem
	} finally {
		flush()
	}
}

/** Stops the turn that is under way. One that the server was never heard of again goes back to where it was written. */
export async function stop() {
	const turn = running.value
	if (!turn) return
	turn.value = { ...turn.value, stopping: true }
	const { id, cut, question, text } = turn.value
	if (id) return post("/ask/" + id + "/stop").catch((problem) => ((turn.value = { ...turn.value, stopping: false }), Promise.reject(problem)))
	if (!cut) return // it stops once it has a name
	const { client_id, ...sent } = question
	lost = { client_id, sent }
	cuts.abort()
	cuts = new AbortController()
	batch(() => {
		turns.value = turns.value.filter((t) => t !== turn)
		draft.value ||= question.answers ? "" : text
	})
}

/** Begins a new conversation. The turn that is under way goes on by itself. */
export function fresh() {
	leave()
	trouble.value = null
}

function leave() {
	cuts.abort()
	cuts = new AbortController()
	batch(() => ((conversation.value = ""), (turns.value = [])))
}

/** Shows a conversation of the last 30 minutes again, as the server lists it. */
export function open(c) {
	trouble.value = null
	return show(c)
}

async function show(c) {
	leave()
	conversation.value = c.id
	const all = c.turns.map((p) => signal({ ...blank(p.turn), id: p.turn, text: p.text, answer: p.answer, finish: p.finish, state: "over" }))
	const under = c.running && signal({ ...blank(c.running), id: c.running, text: c.question || "", state: "running" })
	turns.value = under ? [...all, under] : all
	if (under) listen(under, { turn: c.running }).catch(() => {})
	// What was shown beside the words, a few at a time. What is too old for that has its words.
	const rest = [...all].reverse()
	await Promise.all([1, 2, 3].map(async () => {
		for (let turn; (turn = rest.shift()); ) await listen(turn, { turn: turn.value.id, past: true }).catch(() => {})
	}))
}

/** Takes up what another window, or another device, asked in this conversation. */
export async function refresh() {
	if (!conversation.value || running.value) return
	const all = await get("/conversations").catch(() => null) // asked for again once there is a network
	const c = all?.items.find((c) => c.id === conversation.value)
	if (all && !c && !turns.value.length) conversation.value = "" // it is too old
	if (!c || running.value) return
	const known = new Set(turns.value.map((t) => t.value.id))
	// Why the last question was not taken stays to be read.
	if (c.turns.some((p) => !known.has(p.turn)) || (c.running && !known.has(c.running))) show(c).catch(() => {})
}

// How the cards stand by now: somebody may have decided elsewhere.
async function look() {
	for (const turn of turns.value) {
		for (const card of turn.value.cards.filter((c) => c.id && c.state === "pending")) {
			const now = await get("/proposals/" + card.id).catch(() => null)
			if (now && now.state !== "pending") decided(turn, now, card)
		}
	}
}

/** Puts a card in its place, as it stands now: was is the one that it stands for. */
export function decided(turn, card, was) {
	turn.value = { ...turn.value, cards: turn.value.cards.map((c) => (c === was || (c.id && c.id === was.id) ? card : c)) }
}

const place = "nodkeep.ask"
let begun = "" // whose talk this window has taken up

/** Keeps for a reload what was begun: this window's, and this person's. */
effect(() => {
	const now = running.value?.value
	const state = { person: me.value?.id, conversation: conversation.value, draft: draft.value, pending: now && !now.id && !now.files.length ? { question: now.question, text: now.text } : null, words: now && !now.id ? now.text : "" }
	try {
		if (me.value && begun && pb.authStore.token) sessionStorage.setItem(place, JSON.stringify(state))
	} catch {} // then a reload forgets
})

/** Goes on where this window was before it was loaded again. Another person finds nothing of it. */
export async function resume() {
	if (begun === me.value?.id) return
	begun = me.value?.id
	let was = null
	try {
		was = JSON.parse(sessionStorage.getItem(place))
	} catch {}
	if (!was || was.person !== begun) return
	draft.value ||= was.draft || ""
	if (was.conversation) {
		conversation.value = was.conversation
		await refresh()
	}
	if (was.pending) {
		// It may have arrived: with its own name it is asked once however often it is sent.
		if (!running.value) begin(was.pending.question, was.pending.text, [])
	} else draft.value ||= was.words || ""
}

// Whoever is signed in next finds nothing of it.
let who = me.peek()?.id
me.subscribe((m) => {
	if (m?.id === who) return
	who = m?.id
	begun = ""
	fresh()
	batch(() => ((draft.value = ""), (files.value = []), (secret.value = false)))
	try {
		if (!m) sessionStorage.removeItem(place)
	} catch {}
})

hear(["nodkeep/proposals"], () => setTimeout(look, 150))
addEventListener("online", () => refresh())
addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh())

