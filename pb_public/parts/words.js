// What a model wrote, as far as it is more than letters: paragraphs, lists, bold, code. Made of nodes,
// so that nothing of it is ever read as HTML; no pictures, since they would be fetched from somewhere.
import { html } from "../lib/html.js"

/** Draws a text. */
export const Words = ({ text }) => html`<div class="ask-prose" dir="auto">${blocks(text).map(block)}</div>`

const bullet = /^(\s*)(?:[-*+•]|(\d{1,9})[.)])\s+(.*)$/
const fence = /^\s*(```|~~~)/

/** Takes a text apart: {kind: p|list|code|head|rule, …}. */
export function blocks(text) {
	const out = []
	const lines = text.replace(/\r\n?/g, "\n").split("\n")
	let now = null // what the next line may belong to
	const put = (b) => (out.push(b), (now = b))
	for (let i = 0; i < lines.length; i++) {
		const line = lines[i]
		if (fence.test(line)) {
			const mark = line.trim().slice(0, 3), code = []
			while (++i < lines.length && !lines[i].trim().startsWith(mark)) code.push(lines[i])
			put({ kind: "code", text: code.join("\n") })
			now = null
			continue
		}
		const item = bullet.exec(line)
		const head = /^#{1,6}\s+(.*)$/.exec(line)
		if (!line.trim()) now = now?.kind === "list" ? now : null
		else if (head) put({ kind: "head", text: head[1] }), (now = null)
		else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) put({ kind: "rule" }), (now = null)
		else if (/^\s*\|.*\|\s*$/.test(line)) now?.kind === "code" ? (now.text += "\n" + line) : put({ kind: "code", text: line })
		else if (item) {
			const ordered = item[2] !== undefined
			if (now?.kind !== "list" || (now.ordered !== ordered && !item[1])) put({ kind: "list", ordered, start: Number(item[2]) || 1, items: [] })
			const deep = item[1].replace(/\t/g, "    ").length >= 2 && now.items.length > 0
			if (deep) now.items.at(-1).under.push(item[3])
			else now.items.push({ text: item[3], under: [] })
		} else if (now?.kind === "list" && /^\s+\S/.test(line)) now.items.at(-1).text += " " + line.trim()
		else if (now?.kind === "p") now.text += "\n" + line
		else put({ kind: "p", text: line.replace(/^\s*>\s?/, "") })
	}
	return out
}

function block(b, i) {
	if (b.kind === "code") return html`<pre key=${i} tabindex="0"><code>${b.text}</code></pre>`
	if (b.kind === "rule") return html`<hr key=${i} />`
	if (b.kind === "head") return html`<p key=${i}><strong>${inline(b.text)}</strong></p>`
	if (b.kind === "p") return html`<p key=${i} dir="auto">${inline(b.text)}</p>`
	const items = b.items.map((it, n) => html`<li key=${n} dir="auto">${inline(it.text)}${it.under.length > 0 && html`<ul>${it.under.map((u, m) => html`<li key=${m} dir="auto">${inline(u)}</li>`)}</ul>`}</li>`)
	return b.ordered ? html`<ol key=${i} start=${b.start}>${items}</ol>` : html`<ul key=${i}>${items}</ul>`
}

// In this order: code, a picture or link, an address, bold, italic, what is struck through.
const marks = /`([^`\n]+)`|!?\[([^\]\n]*)\]\(([^)\s]*)(?:\s+"[^"]*")?\)|(https?:\/\/[^\s<>"'`)\]]+[^\s<>"'`)\].,;:!?])|\*\*(.+?)\*\*|__(.+?)__|(?<![\w*])\*(?!\s)([^*\n]+?)\*(?!\w)|(?<!\w)_(?!\s)([^_\n]+?)_(?!\w)|~~(.+?)~~/s

/** Takes a line apart into nodes. */
export function inline(text, depth = 0) {
	const out = []
	for (let rest = text; rest; ) {
		const m = depth < 4 && marks.exec(rest)
		if (!m) return [...out, rest]
		if (m.index) out.push(rest.slice(0, m.index))
		const [whole, code, name, to, address, bold, bold2, soft, soft2, gone] = m
		if (code !== undefined) out.push(html`<code>${code}</code>`)
		else if (to !== undefined) out.push(whole[0] === "!" ? name : link(name, to))
		else if (address) out.push(link(address, address))
		else if (bold ?? bold2) out.push(html`<strong>${inline(bold ?? bold2, depth + 1)}</strong>`)
		else if (soft ?? soft2) out.push(html`<em>${inline(soft ?? soft2, depth + 1)}</em>`)
		else out.push(html`<s>${inline(gone ?? "", depth + 1)}</s>`)
		rest = rest.slice(m.index + whole.length)
	}
	return out
}

// Where a link goes stands beside it, whatever it calls itself. What is no web address is none.
function link(name, to) {
	let url
	try {
		url = new URL(to)
	} catch {
		return name
	}
	if (url.protocol !== "https:" && url.protocol !== "http:") return name
	const bare = name === to
	return html`<a href=${url.href} target="_blank" rel="noopener noreferrer nofollow">${name || to}</a>${!bare && html` <span class="soft">(${url.host})</span>`}`
}
