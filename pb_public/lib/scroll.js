// Where one was on a page is where one is again on coming back to it.
const key = "nodkeep.scroll"
let places = {}
try {
	places = JSON.parse(sessionStorage.getItem(key)) || {}
} catch {}
let here = 0 // the entry of the history
let ending // of a way back that is still under way

/** Begins; called once. */
export function keepScroll() {
	history.scrollRestoration = "manual"
	arrive()
	addEventListener("hashchange", arrive)
	addEventListener("scroll", () => ending || (places[here] = scrollY), { passive: true })
	addEventListener("pagehide", () => {
		try {
			sessionStorage.setItem(key, JSON.stringify(places))
		} catch {}
	})
}

function arrive() {
	ending?.()
	const known = history.state?.nodkeep
	if (known === undefined) {
		here = Math.max(0, ...Object.keys(places).map(Number)) + 1
		places[here] = 0
		history.replaceState({ nodkeep: here }, "")
		scrollTo(0, 0)
	} else {
		here = known
		back(places[here] || 0)
	}
}

// The page is drawn bit by bit, and a long list loads more as it is scrolled: goes on until it is there, or the person does something.
function back(to) {
	const touched = ["wheel", "touchstart", "keydown", "pointerdown"]
	const until = performance.now() + 3000
	const end = () => {
		ending = undefined
		for (const name of touched) removeEventListener(name, end)
	}
	ending = end
	for (const name of touched) addEventListener(name, end, { passive: true })
	const step = () => {
		if (ending !== end) return
		if (Math.abs(scrollY - to) > 1) scrollTo(0, to)
		if (performance.now() < until && Math.abs(scrollY - to) > 1) requestAnimationFrame(step)
		else end()
	}
	requestAnimationFrame(step)
}
