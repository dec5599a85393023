// A chart for everybody: drawn for the eye, as a sentence and a table for all.
import { html, useEffect, useId, useMemo, useRef, useState } from "./html.js"
import { lang, money as amount, number, t } from "./i18n.js"
import { theme } from "./store.js"
import { css } from "./css.js"
import { Behind } from "./behind.js"
import { loadPlot, plot } from "./plot.js"
export { Ranks } from "./ranks.js"

await css("chart")

const dark = matchMedia("(prefers-color-scheme: dark)")

// How the ground is, so that what was drawn is drawn anew when it becomes another.
function useGround() {
	const [is, set] = useState(dark.matches)
	useEffect(() => {
		const tell = () => set(dark.matches)
		dark.addEventListener("change", tell)
		return () => dark.removeEventListener("change", tell)
	}, [])
	return theme.value || (is ? "dark" : "light")
}

/**
 * Draws series over labels. form is "bars" or "line"; bars of several series stand beside each other,
 * or on each other where stacked. A series is {label, values, faint, colour}: values are decimal
 * strings or numbers, null where there is none; faint marks what is only expected; colour is 0 to 7.
 * money is the currency of the values, said with up to so many places. caption says what it shows, head what the labels are.
 * totals, strings, are a last column; foot, one string for each column, a last row. links(i) is the address behind a label.
 * summary is the sentence for readers of the screen; without it there is one.
 */
export function Chart({ form = "bars", stacked, series, labels, money, caption, head = "", totals, foot, links, summary, open, places }) {
	const root = useRef(), drawn = useRef()
	const [tip, point] = useState(null)
	const [failed, fail] = useState(false)
	const ground = useGround()
	const id = useId()
	const exact = (v) => (v === null || v === undefined || v === "" ? "–" : money ? amount(v, money, places ? { minimumFractionDigits: 2, maximumFractionDigits: places } : {}) : number(v))
	const look = JSON.stringify([form, stacked, series, labels, money])
	const said = useMemo(() => summary || sentence(series, labels, totals, exact), [look, lang.value, summary])

	useEffect(() => {
		let here = true
		const rows = series.map((s) => s.values.map((v) => (v === null || v === undefined || v === "" ? null : Number(v)))) // for drawing only
		const short = { notation: "compact", maximumFractionDigits: 1, minimumFractionDigits: 0 }
		loadPlot().then(
			() => {
				if (!here) return
				drawn.current = plot(root.current, rows, labels, {
					form, stacked, faint: series.map((s) => !!s.faint), colour: series.map((s, i) => s.colour ?? i),
					value: (n) => (money ? amount(n, money, short) : number(n, short)),
				})
			},
			() => here && fail(true),
		)
		return () => ((here = false), drawn.current?.end(), (drawn.current = null))
	}, [look, ground, lang.value])

	function over(e) {
		if (!drawn.current) return
		const box = root.current.getBoundingClientRect()
		const i = drawn.current.at(e.clientX - box.left)
		point({ i, ...drawn.current.centre(i), room: box.width })
	}
	const away = (e) => e.pointerType === "mouse" && point(null)
	// With a finger the first touch shows what there is; the table leads on.
	const press = (e) => links && tip && e.pointerType === "mouse" && links(tip.i) && (location.hash = links(tip.i))

	return html`<figure class="chart" aria-labelledby=${id}>
		<figcaption><span id=${id} dir="auto">${caption}</span>
			${series.length > 1 && html`<ul class="legend" aria-hidden="true">${series.map((s, i) => html`<li key=${s.label}><${Key} n=${s.colour ?? i} faint=${s.faint} /><span dir="auto">${s.label}</span></li>`)}</ul>`}
		</figcaption>
		<p class="unseen">${said}</p>
		${failed ? html`<p class="note warn">${t("web.offline.need")}</p>` : html`<div class=${"plot" + (links ? " press" : "")} aria-hidden="true" onPointerMove=${over} onPointerDown=${over} onPointerLeave=${away} onClick=${press}>
			${tip && html`<div class="band" style=${{ left: tip.x - tip.width / 2 + "px", width: tip.width + "px" }}></div>`}
			<div ref=${root} class="plot"></div>
			${tip && tip.i < labels.length && html`<${Tip} ...${tip} labels=${labels} series=${series} totals=${totals} exact=${exact} />`}
		</div>`}
		<${Behind} id=${id} ...${{ head, series, labels, totals, foot, links, exact, open }} />
	</figure>`
}

/** The sign of a series beside its name. */
const Key = ({ n, faint }) => html`<span class=${faint ? "key faint" : "key"} style=${{ color: `var(--chart-${(n % 8) + 1})` }}></span>`

function Tip({ i, x, room, labels, series, totals, exact }) {
	const ref = useRef()
	useEffect(() => {
		const wide = ref.current.offsetWidth
		ref.current.style.left = Math.max(4, Math.min(x - wide / 2, room - wide - 4)) + "px"
	})
	return html`<div class="tip" ref=${ref}><b dir="auto">${labels[i]}</b>
		${series.map((s) => html`<p key=${s.label}><span>${s.label}</span><span>${exact(s.values[i])}</span></p>`)}
		${totals && series.length > 1 && html`<p><span>${t("web.chart.total")}</span><span>${exact(totals[i])}</span></p>`}
	</div>`
}

// What one sees at a glance: how many, the highest and the lowest.
function sentence(series, labels, totals, exact) {
	const values = totals || series[0]?.values || []
	const known = values.map((v, i) => [v, i]).filter(([v]) => v !== null && v !== undefined && v !== "")
	if (!known.length) return t("web.chart.none")
	const by = [...known].sort(([a], [b]) => Number(a) - Number(b))
	const [low, high] = [by[0], by.at(-1)]
	return t("web.chart.summary", known.length, labels[high[1]], exact(high[0]), labels[low[1]], exact(low[0]))
}
