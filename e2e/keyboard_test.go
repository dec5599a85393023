package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// stop is where the Tab key has gone to.
type stop struct {
	Name, Fault string
	Checked     bool
}

// at says what has the focus, by its name, and what is wrong about that: where it is must be
// marked, within the window, and not below something that lies over it.
const at = `(async () => {
	const e = document.activeElement, hidden = e.getBoundingClientRect().width < 3 || getComputedStyle(e).opacity === "0" || getComputedStyle(e).clipPath !== "none"
	const seen = hidden && e.labels?.[0] || e
	const marked = () => [e, seen, e.nextElementSibling, e.parentElement].some((x) => x && getComputedStyle(x).outlineStyle !== "none" && parseFloat(getComputedStyle(x).outlineWidth) > 0)
	const clear = () => {
		const r = seen.getBoundingClientRect(), x = (Math.max(r.left, 0) + Math.min(r.right, innerWidth)) / 2, y = (Math.max(r.top, 0) + Math.min(r.bottom, innerHeight)) / 2
		const over = document.elementFromPoint(x, y)
		return over && (seen.contains(over) || over.contains(seen) && over !== document.documentElement && over !== document.body || over.closest(".toasts") || e.labels && [...e.labels].some((l) => l.contains(over)))
	}
	for (let n = 0; n < 30 && !clear(); n++) await new Promise(requestAnimationFrame)
	const fault = e === document.body ? "" : !marked() && !e.matches("[role=combobox]") ? "is not marked" : !clear() ? "is covered or out of sight" : ""
	return { Name: e === document.body ? "" : e2e.name(e) || e.tagName, Fault: fault, Checked: !!e.checked }
})()`

// tabs goes on by the Tab key alone until what is called name has the focus. What is wrong with
// any place on the way is a fault of the page.
func (w *tab) tabs(name string) stop {
	w.t.Helper()
	return w.goes(name, kb.Tab)
}

// back goes the other way.
func (w *tab) shiftTabs(name string) stop {
	w.t.Helper()
	return w.goes(name, kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift))
}

func (w *tab) goes(name, key string, options ...chromedp.KeyOption) stop {
	w.t.Helper()
	var way []string
	w.until("something called "+name, `e2e.all("a[href],button,input,select,textarea,summary,[tabindex]", `+quote(name)+`).some((e) => !e.disabled)`) // what is off has no focus
	for range 200 {
		w.do(chromedp.KeyEvent(key, options...))
		is := eval[stop](w, at)
		if is.Fault != "" && !slices.Contains(way, is.Name) {
			w.keep("focus")
			w.t.Errorf("%s: the focus on %q %s", eval[string](w, "location.hash"), is.Name, is.Fault)
		}
		if strings.HasPrefix(is.Name, name) {
			return is
		}
		way = append(way, is.Name)
	}
	w.keep("keyboard")
	w.t.Fatalf("the Tab key does not come to %s, but to %q", name, way)
	return stop{}
}

// enter goes to something by the Tab key, and presses Enter there.
func (w *tab) enter(name string) {
	w.t.Helper()
	w.tabs(name)
	w.until(name+" to be ready", `!document.activeElement.disabled`)
	w.key(kb.Enter)
}

// command opens the palette by its keys, and chooses by words.
func (w *tab) command(words, heading string) {
	w.t.Helper()
	w.until("the shell", `document.querySelector("nav.nav") && !document.querySelector("dialog[open]")`)
	w.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.until("the palette", `document.activeElement.matches("dialog.palette [role=combobox]")`)
	w.write(words)
	w.until("the choice", `document.querySelector("dialog.palette [aria-selected=true]")?.textContent.startsWith(`+quote(words)+`)`)
	w.key(kb.Enter)
	w.until("the page "+heading, `!document.querySelector("dialog.palette") && document.querySelector("main h1")?.textContent.startsWith(`+quote(heading)+`) && !document.querySelector("main [aria-busy=true]")`)
}

// TestKeyboard does every flow once without a mouse: by Tab, Enter, Space, arrows and letters.
func TestKeyboard(t *testing.T) {
	i := demo(t, "en")
	signIn := func(i *instance) *tab {
		w := open(i.t, i.base, desktop)
		w.visit("/")
		w.until("the form", `document.activeElement.matches("input[name=identity]")`)
		w.write("ana")
		w.key(kb.Tab)
		w.write(password)
		w.key(kb.Enter)
		w.until("the shell", `document.querySelector("nav.nav")`)
		w.settled()
		return w
	}
	for name, flow := range map[string]func(*instance, *tab){
		"card": keysOfCard, "discard": keysOfDiscard, "bulk": keysOfBulk, "form": keysOfForm, "ask": keysOfAsk, "import": keysOfImport,
		"activity": keysOfActivity, "connect": keysOfConnect, "calendar": keysOfCalendar, "operator": keysOfOperator,
	} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			w := signIn(i)
			w.allow("Failed to load resource")
			flow(i, w)
		})
	}
}

// From the news of what an agent asks for to taking it back.
func keysOfCard(i *instance, w *tab) {
	netflix := i.subscription("ana", "Netflix")
	w.hearsNews()
	id := i.agent("ana", "Claude", "ask").asks("household_subscription_cancel", map[string]any{"id": netflix})
	w.see("Claude asks")
	w.enter("Look")
	w.until("the card", `document.querySelector("article.card .yes:enabled")`)
	if eval[bool](w, `document.activeElement.matches(".yes")`) {
		w.t.Error("Confirm has the focus of what ends something")
	}
	w.enter("Yes, do this")
	w.see("Done")
	if got := i.state("ana", id); got != "applied" {
		w.t.Errorf("it is %s", got)
	}
	w.until("the focus on what became of it", `document.activeElement.matches(".outcome-title")`)
	w.enter("Undo")
	w.see("Taken back")
	eventually(w.t, "the subscription to be active again", func() bool { return i.status("ana", netflix) == "active" })
}

func keysOfDiscard(i *instance, w *tab) {
	claude := i.agent("ana", "Claude", "ask")
	id := claude.asks("household_category_add", map[string]any{"name": "Keys"})
	w.command("To decide", "To decide")
	w.see("Keys")
	w.enter("No, discard")
	w.tabs("Why not?")
	w.write("not now")
	w.key(kb.Enter)
	w.see("Discarded", "not now")
	if got := claude.hears(id)["reason"]; got != "not now" {
		w.t.Errorf("the agent reads %v", got)
	}
}

// Two are ticked, and changed by one card.
func keysOfBulk(i *instance, w *tab) {
	w.command("Subscriptions", "Subscriptions")
	w.until("the list", `document.querySelectorAll("input[data-sub]").length > 5`)
	for _, name := range []string{"Select Audiobooks", "Select Disney+"} {
		w.tabs(name)
		w.key(" ")
	}
	w.see("2 selected")
	w.enter("Change")
	w.until("the form", `document.querySelector("dialog[open]")`)
	w.tabs("Add tags")
	w.write("keys")
	w.enter("Continue")
	w.see("Yes, do this")
	w.enter("Yes, do this")
	w.until("the ticks to be gone", `!document.querySelector(".bulk")`)
	tagged := func() int {
		return len(i.tool("ana", "household_subscription_list", map[string]any{"tag": "keys"})["items"].([]any))
	}
	if n := tagged(); n != 2 {
		w.t.Errorf("%d have the tag", n)
	}
	w.enter("Undo")
	w.nods(w.enter, "Yes, do this", "Taken back")
	if n := tagged(); n != 0 {
		w.t.Errorf("%d still have the tag", n)
	}
}

// A subscription is added, with a choice and a day.
func keysOfForm(i *instance, w *tab) {
	w.command("Add a subscription", "Add a subscription")
	w.tabs("Name")
	w.write("By keys")
	w.tabs("Amount")
	w.write("7.30")
	w.tabs("Charged on")
	w.key("10312026")
	w.key(kb.Enter)
	w.see("Added: By keys", "31 Oct 2026")
	w.until("its page", `document.querySelector("h1")?.textContent.includes("By keys")`)
	w.enter("Pause")
	w.until("the form", `document.querySelector("dialog[open]")`)
	w.key(kb.Escape)
	w.until("the focus where it was", `!document.querySelector("dialog[open]") && e2e.name(document.activeElement) === "Pause"`)
	w.shiftTabs("Add") // the ways around it, backwards
}

// A question, its card, and the answer to it.
func keysOfAsk(i *instance, w *tab) {
	w.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	w.until("the palette", `document.activeElement.matches("dialog.palette [role=combobox]")`)
	w.write("Pause Spotify for two months")
	w.until("the question first", `document.querySelector("[aria-selected=true]")?.textContent.startsWith("Ask: Pause")`)
	w.key(kb.Enter)
	w.answered(1)
	w.until("its card", `document.querySelector(".ask-beside .yes:enabled, .turn .yes:enabled")`)
	w.enter("Yes, do this")
	w.see("Done")
	w.tabs("Your question")
	w.write("How much do we pay?")
	w.key(kb.Enter)
	w.answered(2)
	w.tabs("What it is about")
	w.key(kb.Enter)
	w.see("Include what only I see")
	w.key(kb.Escape)
	w.until("the focus where it was", `!document.querySelector("dialog[open]") && e2e.name(document.activeElement).startsWith("What it is about")`)
	w.key(kb.Escape)
	w.until("the end of the panel", `!document.querySelector(".ask-panel")`)

	// What lies over the page gives the focus back to where it was.
	w.enter("Search")
	w.until("the palette", `document.activeElement.matches("dialog.palette [role=combobox]")`)
	w.key(kb.Escape)
	w.until("the focus where it was", `!document.querySelector("dialog[open]") && e2e.name(document.activeElement).startsWith("Search")`)
	w.enter("Ask")
	w.until("the box", `document.activeElement.matches(".ask-panel textarea")`)
	w.key(kb.Escape)
	w.until("the focus where it was", `!document.querySelector(".ask-panel") && e2e.name(document.activeElement) === "Ask"`)
}

// A statement is pasted, looked through, taken and taken back.
func keysOfImport(i *instance, w *tab) {
	text, err := os.ReadFile(statement("bad_formula.csv"))
	if err != nil {
		w.t.Fatal(err)
	}
	before := i.subscriptions("ana")
	w.command("Import", "Import")
	w.tabs("Or paste its text")
	w.key(kb.Enter)
	w.tabs("Text of the statement")
	w.write(string(text))
	w.enter("Read it")
	w.see("24 bookings from")
	w.enter("Review and add")
	w.see("Yes, do this")
	w.enter("Yes, do this")
	w.see("Take the whole import back")
	if n := i.subscriptions("ana"); n <= before {
		w.t.Errorf("%d subscriptions, there were %d", n, before)
	}
	w.enter("Take the whole import back")
	w.nods(w.enter, "Yes, do this", "all is as it was before")
}

// One entry is looked at, and taken back.
func keysOfActivity(i *instance, w *tab) {
	i.tool("ana", "household_category_add", map[string]any{"name": "To be taken back"})
	w.command("Activity", "Activity")
	w.see("To be taken back")
	w.tabs("Add a category")
	w.key(kb.Enter)
	w.until("the entry", `document.querySelector("dialog[open]")`)
	w.enter("Undo")
	w.see("Yes, do this")
	w.enter("Yes, do this")
	w.see("Taken back")
}

// A token is made, copied, tried and revoked.
func keysOfConnect(i *instance, w *tab) {
	w.command("Connect an agent", "Connect")
	w.enter("Make a token")
	w.tabs("Name")
	w.write("Keys")
	w.enter("Make a token")
	w.see("The token Keys is there")
	w.enter("Copy: Token")
	w.enter("Codex")
	w.enter("Test")
	w.see("It works")
	w.enter("Revoke: Keys")
	w.see("Yes, do this")
	w.enter("Yes, do this")
	w.see("Revoked")
}

// Days by arrows, a charge from the sheet of its day.
func keysOfCalendar(i *instance, w *tab) {
	today, _ := i.tool("ana", "household_settings_get", map[string]any{})["today"].(string)
	i.tool("ana", "household_subscription_add", map[string]any{"name": "Due by keys", "amount": "7.50", "currency": "EUR", "cycle": "P1Y", "first_date": today})
	w.command("Calendar", "")
	w.until("today with something on it", `document.querySelector("table.month .now button")`)
	for range 100 {
		w.key(kb.Tab)
		if eval[bool](w, `document.activeElement.matches("table.month button")`) {
			break
		}
	}
	w.until("a day with the focus", `document.activeElement.matches("table.month button")`)
	day := eval[string](w, `document.activeElement.querySelector(".dayno").textContent`)
	// Five weeks back and forth again, faster than other months come.
	for range 5 {
		w.key(kb.ArrowUp)
	}
	for range 5 {
		w.key(kb.ArrowDown)
	}
	w.until("the same day", `document.activeElement.querySelector(".dayno")?.textContent === `+quote(day))
	w.until("today with the focus", `document.activeElement.closest(".now")`)
	w.key(kb.Enter)
	w.see("Due by keys")
	w.enter("Confirm: Due by keys")
	w.until("the sheet is gone", `!document.querySelector("dialog[open]")`)
	w.see("Undo")
}

// Whoever waits is let in, another refused; an account is suspended; an invitation made.
func keysOfOperator(i *instance, w *tab) {
	carla, dora := open(w.t, w.base, desktop), open(w.t, w.base, desktop)
	carla.signUp("carla")
	dora.signUp("dora")
	w.command("Operator", "Operator")
	w.enter("Waiting")
	w.see("carla", "dora")
	w.enter("Let carla in")
	w.until("that carla is in", `![...document.querySelectorAll(".op-person h2")].some((e) => e.textContent.includes("carla"))`)
	w.enter("Refuse dora")
	w.see("Yes, do this")
	w.enter("Yes, do this")
	w.see("Nobody waits")
	w.command("Operator", "Operator")
	w.enter("Accounts")
	w.enter("carla")
	w.until("the account", `document.querySelector("dialog[open]")`)
	w.enter("Suspend carla")
	w.see("Yes, do this")
	w.enter("Yes, do this")
	w.see("suspended")
	w.key(kb.Escape)
	w.command("Operator", "Operator")
	w.enter("Invitations")
	w.enter("Make an invitation")
	w.until("the link", `document.querySelector(".op-link")`)
}
