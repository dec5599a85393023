package e2e

import (
	"testing"
)

// charts draws what is hard to draw, by what plugins are given: several currencies, one bar, 36 months,
// long names, nothing at all.
const charts = `(async () => {
	const kit = await import("/kit.js")
	const { Chart, Ranks, html, render } = kit
	const months = [...Array(36).keys()].map((i) => kit.month(2024 + Math.floor(i / 12) + "-" + String(i % 12 + 1).padStart(2, "0"), { month: "short", year: "2-digit" }))
	const long = "🧑‍🧑‍🧒 <script>alert(1)</script> " + "Sehr langer Name ".repeat(10), rtl = "اشتراك شهري للعائلة"
	const page = document.createElement("div")
	page.className = "stack"
	document.getElementById("main").replaceChildren(page)
	location.hash = "#/charts"
	render(html` + "`" + `
		<h1>Charts</h1>
		<${Chart} caption="36 months" head="Month" stacked money="EUR" labels=${months} totals=${months.map((_, i) => String(30 + i * 2) + ".50")}
			series=${[{ label: "Booked", values: months.map((_, i) => i < 30 ? String(20 + i * 2) + ".50" : "0.00") }, { label: "Expected", faint: true, colour: 0, values: months.map((_, i) => i < 30 ? "10.00" : String(30 + i * 2) + ".50") }]} links=${(i) => "#/charts?m=" + i} />
		<${Chart} caption="Beside" head="Who" money="KWD" labels=${[long, rtl, "Ana"]} series=${[{ label: "2025", values: ["1.250", "-3.500", "0.000"] }, { label: "2026", values: ["2.250", "1.500", null] }]} />
		<${Chart} caption="Yen" form="line" money="JPY" labels=${months.slice(0, 12)} series=${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ label: "Line " + n, values: months.slice(0, 12).map((_, i) => i === n ? null : String(n * 1000 + i * 90)) }))} />
		<${Chart} caption="One bar" money="EUR" labels=${["May"]} series=${[{ label: "Spent", values: ["90071992547409.93"] }]} open />
		<${Chart} caption="Nothing" labels=${[]} series=${[{ label: "Spent", values: [] }]} />
		<${Ranks} caption="By category" money="EUR" items=${[{ name: long, value: "120.00", part: "80.00", href: "#/charts?x=1", icon: "🎬" }, { name: rtl, value: "40.00" }, { name: "Nothing", value: "0.00" }]} />
	` + "`" + `, page)
})()`

func TestCharts(t *testing.T) {
	i := serve(t)
	for name, l := range map[string]look{"desktop": desktop, "phone": phone, "dark": {width: 1280, height: 900, dark: true}, "small": {width: 320, height: 600, dark: true}} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			w := i.signIn("ana", l)
			w.run(charts)
			w.until("five charts", `document.querySelectorAll("canvas").length === 5`)
			w.see("90,071,992,547,409.93") // digit by digit
			w.until("the page as wide as the window", `document.documentElement.scrollWidth <= innerWidth`)
			w.until("something drawn", `(() => { const c = document.querySelector("canvas"); return c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some((v) => v) })()`)
			w.until("colours of a contrast of 3 or more on what is under them", `(() => {
				const lum = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
				const probe = document.body.appendChild(document.createElement("i"))
				const of = (name) => (probe.style.color = "var(--" + name + ")", lum(getComputedStyle(probe).color))
				const good = [1, 2, 3, 4, 5, 6, 7, 8].every((n) => ["card", "back"].every((g) => { const [a, b] = [of("chart-" + n), of(g)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05) >= 3 }))
				probe.remove()
				return good
			})()`)
			w.press("As a table")
			w.until("the table", `[...document.querySelectorAll("details[open] td")].some((e) => e.checkVisibility() && e.textContent.includes("20.50"))`)
			w.until("a table of its own for each chart", `document.querySelectorAll("figure table").length === 5`)
			w.run(`(document.querySelector(".plot").scrollIntoView(), document.querySelector(".plot").dispatchEvent(new PointerEvent("pointermove", { clientX: innerWidth / 2, clientY: 100, pointerType: "mouse", bubbles: true })))`)
			w.until("what is under the pointer", `document.querySelector(".tip b")?.textContent.includes("2")`)
			w.accessible()
			w.keep("charts")
			w.run(`document.querySelectorAll("figure")[1].scrollIntoView()`)
			w.keep("more")
		})
	}
}
