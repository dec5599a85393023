// What a person takes away: a file, made here.

/** Hands a text to the person as a file. */
export function save(name, media, text) {
	const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type: media })), download: name })
	document.body.append(a)
	a.click()
	a.remove()
	setTimeout(() => URL.revokeObjectURL(a.href), 60000)
}

// No spreadsheet runs a cell, wherever it cuts it: where a formula could begin, also behind what is not seen and
// behind quotes, there is a ' before it, as in the files of the server.
const formula = /(^|[\n\r\t;])(?=(?:(?![\n\r\t;])[\s\p{Cf}\p{Cc}\p{Pi}\p{Pf}"'`´])*[=+\-@＝＋－＠﹢﹣﹦﹫−]|')/gu
const safe = (s) => (/^-\d+(\.\d+)?$/.test(s) ? s : s.replace(formula, "$1'").replace(/^(?=[\n\r\t;])/, "'"))

const cell = (s) => (/[",;\t\r\n]|^\s|\s$/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s)

/** Writes rows as RFC 4180 has them, with the mark by which Excel knows UTF-8. */
export const csv = (rows) => "\ufeff" + rows.map((r) => r.map((c) => cell(safe(String(c ?? "")))).join(",") + "\r\n").join("")

/** How a browser calls such a file. */
export const csvMedia = "text/csv;charset=utf-8"
