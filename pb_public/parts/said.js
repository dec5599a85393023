// A sentence of the server's in which amounts stand out: what it costs is what one looks for.
import { html } from "../lib/html.js"

const amount = /(?<![\p{L}\d.,])[-−]?\d[\d.,'\u00a0\u202f]*[ \u00a0\u202f][A-Z]{3}(?![\p{L}\d])/u
const leftward = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?:[^\p{L}\p{N}]+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*/u // words in Arabic, Hebrew and the like
const special = new RegExp(amount.source + "|" + leftward.source, "gu")

/** Draws a sentence. Whatever is in it is text; a name that runs to the left takes nothing along that stands after it. */
export function Said({ text = "" }) {
	const parts = []
	let from = 0
	for (const m of text.matchAll(special)) {
		parts.push(text.slice(from, m.index), amount.test(m[0]) ? html`<b class="amount">${m[0]}</b>` : html`<bdi>${m[0]}</bdi>`)
		from = m.index + m[0].length
	}
	parts.push(text.slice(from))
	return html`<span dir="ltr">${parts}</span>`
}
