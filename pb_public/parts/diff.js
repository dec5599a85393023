// Field by field what changes, before and after: by words and signs, not by colour alone.
import { html, useEffect, useMemo, useRef, useState } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Icon } from "./icon.js"

const few = 3 // changes that are shown at once
const single = 8 // up to which each stands for itself
const block = 25 // rows that come at once

/** Draws changes as the API gives them. Many are folded, and what is alike in all of them is said once. */
export function Diff({ changes = [], unseen = 0, open = changes.length <= few }) {
	const [isOpen, set] = useState(open)
	if (!changes.length && !unseen) return null
	const hint = unseen > 0 && html`<p class="soft small">${t("card.unseen", unseen)}</p>`
	if (open && changes.length <= few) return html`<div class="diff">${changes.map((c, n) => html`<${Change} key=${n} change=${c} />`)}${hint}</div>`
	return html`<details class="diff" open=${isOpen} onToggle=${(e) => set(e.target.open)}>
		<summary>${t("nod.fields", changes.length)}</summary>
		${isOpen && html`<${Groups} changes=${changes} />`}
		${isOpen && hint}
	</details>`
}

function Groups({ changes }) {
	const all = useMemo(() => groups(changes), [changes])
	if (changes.length <= single) return changes.map((c, n) => html`<${Change} key=${n} change=${c} />`)
	return all.map((g) => html`<${Group} key=${g.key} group=${g} />`)
}

/** Puts together what happens alike: {key, op, changes, same}, same being the fields that are alike in all. */
export function groups(changes) {
	const by = new Map()
	for (const c of changes) {
		const key = c.op + " " + c.collection
		if (!by.has(key)) by.set(key, { key, op: c.op, changes: [] })
		by.get(key).changes.push(c)
	}
	return [...by.values()].map((g) => ({ ...g, same: alike(g.changes) }))
}

function alike(changes) {
	if (changes.length < 4) return []
	return changes[0].fields.filter((f) => changes.every((c) => c.fields.some((g) => g.name === f.name && g.before === f.before && g.after === f.after)))
}

function Group({ group: g }) {
	const skip = g.same.map((f) => f.name)
	return html`<section class=${"change " + g.op}>
		<p class="what"><${Sign} op=${g.op} /><b>${t("web.change.many." + g.op, g.changes.length)}</b></p>
		${g.same.length > 0 && html`<p class="soft small">${t("web.change.same")}</p><${Fields} op=${g.op} fields=${g.same} />`}
		<${Many} changes=${g.changes} skip=${skip} />
	</section>`
}

// The first few, then all in blocks as one scrolls: 500 at once would make the page stand still.
function Many({ changes, skip }) {
	const [n, set] = useState(Math.min(changes.length, changes.length > few + single ? single : changes.length))
	const [all, show] = useState(n === changes.length)
	const end = useRef()
	useEffect(() => {
		if (!all || n >= changes.length) return
		const seen = new IntersectionObserver(([e]) => e.isIntersecting && set(n + block), { rootMargin: "600px" })
		seen.observe(end.current)
		return () => seen.disconnect()
	}, [all, n])
	const starts = []
	for (let from = 0; from < Math.min(n, changes.length); from += block) starts.push(from)
	return html`
		${starts.map((from) => html`<${Block} key=${from} changes=${changes} from=${from} to=${Math.min(from + block, n, changes.length)} skip=${skip} />`)}
		${!all && html`<button class="quiet small" onClick=${() => (show(true), set(block))}>${t("web.change.all", changes.length)}</button>`}
		<div ref=${end}></div>
	`
}

// Drawn once: those that stand already take no time when more come.
const Block = ({ changes, from, to, skip }) =>
	useMemo(() => html`<ul class="rows" style=${{ containIntrinsicSize: `auto ${(to - from) * 36}px` }}>
		${changes.slice(from, to).map((c, k) => html`<li key=${k}><${Row} change=${c} skip=${skip} /></li>`)}
	</ul>`, [changes, from, to])

function Row({ change: c, skip }) {
	const fields = c.fields.filter((f) => !skip.includes(f.name))
	return html`<span class="label" dir="auto">${c.label}</span>
		${fields.length > 0 && html`<${Fields} op=${c.op} fields=${fields} />`}
		${c.hidden > 0 && html`<p class="soft small">${t("card.hidden", c.hidden)}</p>`}`
}

function Change({ change: c }) {
	return html`<section class=${"change " + c.op}>
		<p class="what"><${Sign} op=${c.op} /><b dir="auto">${t("web.change." + c.op, c.label)}</b></p>
		<${Fields} op=${c.op} fields=${c.fields} />
		${c.hidden > 0 && html`<p class="soft small">${t("card.hidden", c.hidden)}</p>`}
	</section>`
}

const Sign = ({ op }) => html`<${Icon} name=${op === "create" ? "add" : op === "delete" ? "trash" : "edit"} />`

function Fields({ op, fields }) {
	return html`<ul class="fields">${fields.map((f) => html`<li key=${f.name}>
		<span class="name">${f.label}</span>
		<span class="values">
			${op !== "create" && html`<${Value} is=${f.before} gone what=${t("nod.before")} />`}
			${op === "update" && html`<span class="to" aria-hidden="true">→</span>`}
			${op !== "delete" && html`<${Value} is=${f.after} what=${t("nod.after")} />`}
		</span>
	</li>`)}</ul>`
}

// What is taken away is struck out and has a minus, what comes a plus: for eyes that see no colour.
function Value({ is, gone, what }) {
	const Tag = gone ? "del" : "ins"
	return html`<span class=${(gone ? "was" : "is") + (is ? "" : " nil")}><span class="unseen">${what}: </span>${is ? html`<${Tag} dir="auto">${is}<//>` : html`<span class="soft">–</span>`}</span>`
}
