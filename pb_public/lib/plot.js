// Draws a chart with uPlot into an element: all that is on the canvas. What can be read is HTML, in lib/chart.js.
import { css } from "./css.js"

let uPlot

/** Loads what draws. */
export async function loadPlot() {
	if (uPlot) return
	const [module] = await Promise.all([import("../third_party/uplot.js"), css("../third_party/uplot")])
	uPlot = module.default
}

/** The colours of a chart as they are now: a canvas knows no variables. */
export function colours(at) {
	const probe = at.ownerDocument.createElement("i")
	at.append(probe)
	const of = (name) => {
		probe.style.color = `var(--${name})`
		return getComputedStyle(probe).color
	}
	const found = { text: of("soft"), line: of("hair"), ground: of("card"), series: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => of("chart-" + n)) }
	probe.remove()
	return found
}

const canvas = document.createElement("canvas").getContext("2d")

function width(text, font) {
	canvas.font = font
	return canvas.measureText(text).width
}

// A label as far as there is room; an emoji is not cut in two.
function fit(text, room, font) {
	if (width(text, font) <= room) return text
	const parts = [...new Intl.Segmenter().segment(text.slice(0, 80))].map((s) => s.segment)
	while (parts.length > 1 && width(parts.join("") + "…", font) > room) parts.pop()
	return parts.join("").trimEnd() + "…"
}

// Stripes in a colour: what is only expected.
function stripes(colour) {
	const tile = Object.assign(document.createElement("canvas"), { width: 8, height: 8 })
	const c = tile.getContext("2d")
	c.strokeStyle = colour
	c.lineWidth = 1.5
	c.beginPath()
	for (const x of [-8, 0, 8]) c.moveTo(x, 8), c.lineTo(x + 8, 0)
	c.stroke()
	return canvas.createPattern(tile, "repeat")
}

// What lies on what: sums of all before, those below nought by themselves.
function heap(rows) {
	const up = [], down = []
	return rows.map((row) =>
		row.map((v, i) => {
			if (!v) return null
			const side = v > 0 ? up : down
			return (side[i] = (side[i] || 0) + v)
		}),
	)
}

/**
 * Draws rows of numbers (null where there is none) over labels. look is {form, stacked, faint: [bool],
 * colour: [index], value: (n) => text}. Gives {at(x): index, centre(i): {x, width}, end()}.
 */
export function plot(root, rows, labels, look) {
	const font = "12px system-ui, sans-serif", own = colours(root), bars = look.form !== "line"
	const stack = bars && look.stacked && rows.length > 1
	const order = rows.map((_, i) => i)
	const drawn = stack ? heap(rows) : rows
	if (stack) order.reverse() // the highest first: the lower ones are drawn over it
	const xs = labels.map((_, i) => i)
	const share = stack ? 1 : rows.length

	const room = () => (root.clientWidth - 64) / Math.max(1, labels.length)
	const group = () => Math.min(0.72, (share * 56) / room()) // of bars that stand beside each other
	const widest = Math.max(0, ...labels.map((l) => Math.min(width(l, font), 88)))
	const step = () => Math.max(1, Math.ceil((widest + 12) / room()))

	const series = order.map((n) => {
		const colour = own.series[look.colour[n] % 8]
		if (!bars) return { stroke: colour, width: 2, dash: look.faint[n] ? [5, 5] : undefined, spanGaps: false, points: { show: labels.length <= 40, size: 6, fill: own.ground }, paths: uPlot.paths.linear() }
		const disp = share > 1 ? { x0: { unit: 1, values: () => xs.map((x) => x + ((n + 0.5) / share - 0.5) * group()) }, size: { unit: 1, values: () => xs.map(() => (group() / share) * 0.92) } } : undefined
		const fill = look.faint[n] ? stripes(colour) : colour
		return { stroke: colour, width: look.faint[n] ? 1 : 0, fill: () => fill, points: { show: false }, paths: uPlot.paths.bars({ size: [0.72, 56], radius: 0, disp }) }
	})
	// A bar of stripes is seen through: its ground covers what it lies on.
	const grounds = order.filter((n) => stack && look.faint[n])
	const data = [xs], all = [{}]
	for (const [k, n] of order.entries()) {
		if (grounds.includes(n)) data.push(drawn[n]), all.push({ stroke: own.ground, width: 0, fill: own.ground, points: { show: false }, paths: uPlot.paths.bars({ size: [0.72, 56] }) })
		data.push(drawn[n])
		all.push(series[k])
	}

	const flat = drawn.flat().filter((v) => v !== null)
	const low = Math.min(0, ...flat), high = Math.max(0, ...flat)
	const u = new uPlot(
		{
			width: root.clientWidth,
			height: root.clientHeight,
			padding: [12, () => Math.max(8, (widest - room()) / 2 + 4), 0, 0],
			cursor: { show: false },
			legend: { show: false },
			scales: { x: { time: false, range: [-0.5, Math.max(0.5, labels.length - 0.5)] }, y: { range: high === low ? [0, 1] : uPlot.rangeNum(low, high, { min: { pad: 0.05, soft: 0, mode: 1 }, max: { pad: 0.05, soft: 0, mode: 1 } }) } },
			axes: [
				{
					stroke: own.text, font, grid: { show: false }, ticks: { show: false }, gap: 4, size: 26,
					splits: () => { const s = step(); return xs.filter((i) => (labels.length - 1 - i) % s === 0) },
					values: (_, at) => { const s = step(); return at.map((i) => fit(labels[i], Math.max(24, room() * s - 8), font)) },
				},
				{
					stroke: own.text, font, grid: { stroke: own.line, width: 1 }, ticks: { show: false }, gap: 6, space: 36,
					values: (_, at) => at.map(look.value),
					size: (_, said) => 12 + Math.ceil(Math.max(16, ...(said || []).map((s) => width(s, font)))),
				},
			],
			series: all,
		},
		data,
		root,
	)
	const wide = new ResizeObserver(() => root.clientWidth > 0 && u.width !== root.clientWidth && u.setSize({ width: root.clientWidth, height: root.clientHeight }))
	wide.observe(root)
	const left = () => u.bbox.left / devicePixelRatio
	return {
		at: (x) => Math.min(labels.length - 1, Math.max(0, Math.round(u.posToVal(x - left(), "x")))),
		centre: (i) => ({ x: left() + u.valToPos(i, "x"), width: u.valToPos(1, "x") - u.valToPos(0, "x") }),
		end: () => (wide.disconnect(), u.destroy()),
	}
}
