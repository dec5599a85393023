package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// finders find things as people and screen readers do: by role and name.
const finders = `
window.e2e = {
	shown: (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !e.closest("[inert]"),
	name: (e) => ((e.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean).map((id) => document.getElementById(id)?.textContent || "").join(" ") ||
		e.getAttribute("aria-label") || [...(e.labels || [])].map((l) => l.textContent).join(" ") || (e.matches("input,select,textarea") ? e.placeholder || "" : e.textContent) || "").replace(/\s+/g, " ").trim(),
	top: () => [...document.querySelectorAll("dialog[open]")].at(-1) || document,
	all: (css, name) => [...e2e.top().querySelectorAll(css)].filter((e) => e2e.shown(e) && (e2e.name(e) === name || e2e.name(e).startsWith(name))).sort((a, b) => (e2e.name(b) === name) - (e2e.name(a) === name)),
	press: (name) => e2e.all("button,a[href],summary,[role=option],[role=tab],[role=button],label.tick", name)[0],
	field: (name) => e2e.all("input,select,textarea,[role=combobox]", name)[0],
	text: () => { const top = e2e.top(); return (top === document ? document.body : top).innerText + " " + [...document.querySelectorAll(".toasts")].map((e) => e.innerText).join(" ") },
	put: (e, value) => {
		if (e.type === "checkbox" || e.type === "radio") { if (e.checked !== value) e.click(); return }
		const kind = e instanceof HTMLSelectElement ? HTMLSelectElement : e instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
		if (e instanceof HTMLSelectElement) value = [...e.options].find((o) => o.value === value || o.text === value)?.value ?? value
		Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(e, value)
		e.dispatchEvent(new Event("input", { bubbles: true }))
		e.dispatchEvent(new Event("change", { bubbles: true }))
	},
}`

// eval runs a script in the page and gives its value; a promise is awaited.
func eval[T any](w *tab, script string) (v T) {
	w.t.Helper()
	v, err := tryEval[T](w, script)
	if err != nil {
		w.t.Fatalf("%.300s: %v", script, err)
	}
	return v
}

func tryEval[T any](w *tab, script string) (T, error) {
	ctx, cancel := context.WithTimeout(w.ctx, 4*patience) // axe alone has much to do
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAsValue, chromedp.EvalAwaitPromise))
}

// run runs a script for what it does.
func (w *tab) run(script string) {
	w.t.Helper()
	eval[bool](w, "(async () => { await "+script+"; return true })()")
}

// until waits for a script to be true, or what it promises.
func (w *tab) until(what, script string) {
	w.t.Helper()
	var last error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(40 * time.Millisecond) {
		ok, err := tryEval[bool](w, "(async () => !!(await ("+script+")))()") // a promise by itself is true
		if last = err; ok {
			return
		}
	}
	w.keep("waited")
	w.t.Fatalf("waited for %s (%v); the page says:\n%s", what, last, w.text())
}

func (w *tab) text() string {
	s, _ := tryEval[string](w, "e2e.text()") // for messages
	return s
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// visit goes to an address of the instance: "#/inbox" is a page of the front end.
func (w *tab) visit(path string) {
	w.t.Helper()
	if strings.HasPrefix(path, "#") {
		if here := eval[string](w, "location.href"); strings.HasPrefix(here, w.base+"/#") || here == w.base+"/" {
			w.run("new Promise((r) => { const was = location.href; addEventListener('hashchange', () => setTimeout(r), {once: true}); location.hash = " + quote(path) + "; if (location.href === was) r() })")
			return
		}
		path = "/" + path
	}
	w.do(chromedp.Navigate(w.base + path))
}

// see waits until texts stand on the page, or in the dialog over it.
func (w *tab) see(texts ...string) {
	w.t.Helper()
	for _, s := range texts {
		w.until("the text "+s, "e2e.text().replace(/\\s+/g, ' ').includes("+quote(s)+")")
	}
}

// miss waits until a text is gone.
func (w *tab) miss(text string) {
	w.t.Helper()
	w.until("the end of the text "+text, "!e2e.text().replace(/\\s+/g, ' ').includes("+quote(text)+")")
}

// press clicks a button, a link or a box by its name, with the mouse of the browser.
func (w *tab) press(name string) {
	w.t.Helper()
	w.click(name, "e2e.press("+quote(name)+")")
}

func (w *tab) click(name, element string) {
	w.t.Helper()
	for end := time.Now().Add(patience); ; {
		w.until("something to press: "+name, "(() => { const e = "+element+"; return e && !e.disabled })()")
		if w.hit(name, element) {
			return
		}
		if time.Now().After(end) {
			w.t.Fatal("never still enough to be pressed: ", name)
		}
	}
}

// hit presses an element once, and says whether the press came to be a click: not where it
// moved, or was drawn anew, between the finger's coming down and its going up.
func (w *tab) hit(name, element string) bool {
	w.t.Helper()
	// People press what stands still, and put away a notice that lies over it; one that it is in is what they want.
	at := eval[struct {
		X, Y  float64
		Still bool
	}](w, `(async () => {
		let x, y, e, still = 0
		for (let n = 0; n < 120 && still < 3; n++) {
			e = `+element+`
			if (!e || e.disabled) { still = 0; await new Promise((r) => setTimeout(r, 16)); continue }
			if (!still) e.scrollIntoView({block: "center"})
			await new Promise((r) => requestAnimationFrame(r))
			const r = e.getBoundingClientRect(), over = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.closest(".toast")
			if (over && !over.contains(e)) { over.querySelector("button:last-child").click(); still = 0; continue }
			still = x === r.x + r.width / 2 && y === r.y + r.height / 2 ? still + 1 : 0
			x = r.x + r.width / 2, y = r.y + r.height / 2
		}
		e2e.clicked = ""
		addEventListener("click", (c) => (e2e.clicked = e === c.target || e.contains(c.target) ? "it" : c.target.outerHTML?.slice(0, 200) || "something"), {capture: true, once: true})
		return {X: x, Y: y, Still: still > 2}
	})()`)
	if !at.Still {
		return false
	}
	w.do(chromedp.MouseClickXY(at.X, at.Y))
	clicked, err := tryEval[string](w, `window.e2e?.clicked ?? "it"`) // on another page it was
	if err == nil && clicked != "" && clicked != "it" {
		w.t.Logf("the press on %s met %s", name, clicked)
	}
	return err != nil || clicked != ""
}

// fill puts a value into a field by its label.
func (w *tab) fill(label string, value any) {
	w.t.Helper()
	w.until("the field "+label, "e2e.field("+quote(label)+")")
	v, _ := json.Marshal(value)
	w.run(fmt.Sprintf("e2e.put(e2e.field(%s), %s)", quote(label), v))
}

// write types into whatever has the focus, key by key.
func (w *tab) write(text string) {
	w.t.Helper()
	command(w, input.InsertText, input.InsertTextParams{Text: text})
}

// key presses a key, as chromedp's kb names it, in whatever has the focus.
func (w *tab) key(keys string) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(keys))
}

// nods presses yes on the card of what was just asked for, where it has one, and waits for the end of it.
func (w *tab) nods(press func(name string), yes, end string) {
	w.t.Helper()
	w.until("its card, or the end", `e2e.press(`+quote(yes)+`) || e2e.text().includes(`+quote(end)+`)`)
	if eval[bool](w, `!!e2e.press(`+quote(yes)+`)`) {
		press(yes)
	}
	w.see(end)
}
