// A sentence of the server's in which amounts stand out: what it costs is what one looks for.
import { html } from "../lib/html.js"

const amounts = /(?<![\p{L}\d.,])[-−]?\d[\d.,'\u00a0\u202f]*[ \u00a0\u202f][A-Z]{3}(?![\p{L}\d])/gu

/** Draws a sentence. Whatever is in it is text. */
export function Said({ text = "" }) {
	const parts = []
	let from = 0
	for (const m of text.matchAll(amounts)) {
		parts.push(text.slice(from, m.index), html`<b class="amount">${m[0]}</b>`)
		from = m.index + m[0].length
	}
	parts.push(text.slice(from))
	return html`<span dir="auto">${parts}</span>`
}
