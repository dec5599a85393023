// A code for cameras, drawn as one path: no picture, nothing fetched but the code that makes it.
import { html, useEffect, useState } from "../lib/html.js"
import { css } from "../lib/css.js"
import { t } from "../lib/i18n.js"

await css("qr")

/** text is what the code holds; holds says so to people. */
export function Qr({ text, holds }) {
	const [code, set] = useState()
	useEffect(() => {
		let here = true
		import("../third_party/qrcode.js").then(({ qrcode }) => {
			const made = qrcode(0, "M")
			made.addData(text)
			made.make()
			here && set(drawn(made))
		}, () => here && set({}))
		return () => (here = false)
	}, [text])
	if (!code) return html`<p class="soft">${t("web.loading")}</p>`
	if (!code.size) return html`<p class="note bad">${t("web.trouble")}</p>`
	const edge = code.size + 8 // cameras want four points of white around it
	return html`<figure class="qr">
		<svg viewBox=${`-4 -4 ${edge} ${edge}`} role="img" aria-label=${holds} shape-rendering="crispEdges"><path class="ground" d=${`M-4-4h${edge}v${edge}h${-edge}z`} /><path d=${code.path} /></svg>
		<figcaption>${holds}</figcaption>
	</figure>`
}

function drawn(made) {
	const size = made.getModuleCount()
	let path = ""
	for (let y = 0; y < size; y++) {
		for (let x = 0; x < size; x++) if (made.isDark(y, x)) path += `M${x} ${y}h1v1h-1z`
	}
	return { size, path }
}
