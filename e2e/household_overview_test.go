package e2e

import (
	"strings"
	"testing"
	"time"
)

// houses are the windows that each flow of the household is done in.
var houses = map[string]look{"desktop": desktop, "phone": {width: 375, height: 740, dark: true}}

func (i *instance) each(t *testing.T, do func(i *instance, w *tab)) {
	t.Helper()
	for name, l := range houses {
		t.Run(name, func(t *testing.T) {
			own := i.on(t)
			do(own, own.signIn("ana", l))
		})
	}
}

// plain checks a page, and that nothing stands out of it.
func (w *tab) plain() {
	w.t.Helper()
	w.accessible()
	// A phone makes its window wider where something stands out of it.
	if wide := eval[[]string](w, `(() => { const room = Math.round(visualViewport.width * visualViewport.scale); return document.documentElement.scrollWidth <= room ? [] : [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > room + 1).slice(0, 5).map((e) => e.outerHTML.slice(0, 120)) })()`); len(wide) > 0 {
		w.keep("wide")
		w.t.Errorf("%s is wider than the window: %s", eval[string](w, "location.hash"), strings.Join(wide, "\n"))
	}
}

// tap puts away what was said last, which may lie over what is to be pressed, and presses it.
func (w *tab) tap(name string) {
	w.t.Helper()
	w.run(`document.querySelectorAll(".toast button:last-child").forEach((b) => b.click())`)
	w.press(name)
}

// back takes the last thing back: where that deletes what it made, its card is shown first.
func (w *tab) back(undo, confirm string) {
	w.t.Helper()
	w.press(undo)
	w.until("a card, or the end of it", `document.querySelector("dialog[open]") || [...document.querySelectorAll(".toast")].some((e) => /Rückgängig gemacht|Deshecho/.test(e.innerText))`)
	if eval[bool](w, `!!document.querySelector("dialog[open]")`) {
		w.press(confirm)
		w.until("the card to be gone", `!document.querySelector("dialog[open]")`)
	}
	w.until("it is said", `[...document.querySelectorAll(".toast")].some((e) => /Rückgängig gemacht|Deshecho/.test(e.innerText))`)
	w.run(`document.querySelectorAll(".toast button:last-child").forEach((b) => b.click())`)
}

// month is what the server says of this month in euros, by how the page calls it, as Germans write it.
func (i *instance) month() map[string]string {
	i.t.Helper()
	items, _ := i.tool("ana", "household_spending", map[string]any{"by": "month", "months": 1, "to": lastDay(i.tool("ana", "household_settings_get", map[string]any{})["today"].(string))})["items"].([]any)
	for _, s := range items[len(items)-1].(map[string]any)["sums"].([]any) {
		if s := s.(map[string]any); s["currency"] == "EUR" {
			return map[string]string{"Bisher ausgegeben": strings.Replace(s["booked"].(string), ".", ",", 1), "Noch offen": strings.Replace(s["expected"].(string), ".", ",", 1)}
		}
	}
	i.t.Fatal("there are no euros in ", items)
	return nil
}

// lastDay is the last one of a day's month.
func lastDay(day string) string {
	at, _ := time.Parse(time.DateOnly, day)
	return time.Date(at.Year(), at.Month()+1, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

func TestHouseholdOverview(t *testing.T) {
	i := demo(t, "de")
	i.tool("ben", "household_subscription_add", map[string]any{"name": "Geheimnis von Ben", "amount": "77.70", "cycle": "P1M", "first_date": "2020-01-01", "private": true})
	day, err := time.Parse(time.DateOnly, i.tool("ana", "household_settings_get", map[string]any{})["today"].(string))
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int{"Noch darin": 29, "Nicht mehr darin": 32} {
		i.subscribed("ana", map[string]any{"name": name, "cycle": "P1Y", "first_date": day.AddDate(0, 0, n).Format(time.DateOnly)})
	}
	i.each(t, func(i *instance, w *tab) {
		w.until("the next days", "document.querySelector('.days li')")
		w.until("thirty of them, the nearest first", `(([first, ...rest]) => !first.includes("Noch darin") && rest.some((s) => s.includes("Noch darin")) && !rest.join().includes("Nicht mehr darin"))([...document.querySelectorAll(".days > li")].map((e) => e.innerText))`)
		for label, amount := range i.month() { // in the household's own currency
			w.until(label+" "+amount, `[...document.querySelectorAll(".sum .facts > div")].some((e) => e.innerText.includes(`+quote(label)+`) && e.innerText.includes(`+quote(amount)+`))`)
		}
		w.see("Bisher ausgegeben", "Noch offen", "Nächste 30 Tage", "Zu erledigen", "Was weniger kosten könnte", "Netflix")
		w.miss("Geheimnis")
		w.plain()
		w.keep("overview")

		// A charge that nobody has confirmed: with one tap, and back.
		first := eval[string](w, `e2e.name(e2e.all("button", "Bestätigen: ")[0]).slice("Bestätigen: ".length)`)
		for _, act := range []string{"Bestätigen: ", "Auslassen: "} {
			w.press(act + first)
			w.until("it is done", `!e2e.press(`+quote(act+first)+`)`)
			w.back("Rückgängig", "Ja, so machen")
			w.until("it is open again", `e2e.press(`+quote(act+first)+`)`)
		}

		w.press("Alle bestätigen")
		w.until("the card", `document.querySelector("dialog[open]")`)
		w.accessible()
		w.press("Zurück")

		w.press("Behalten: Audiobooks")
		w.press("Ja, so machen")
		w.until("it is decided", `!e2e.press("Behalten: Audiobooks")`)
		w.back("Rückgängig", "Ja, so machen")
		w.until("it is to be decided", `e2e.press("Behalten: Audiobooks")`)
		w.press("Nicht behalten: Audiobooks")
		w.until("the card", `document.querySelector("dialog[open]")`)
		w.until("no button that ends it has the focus", `document.activeElement.textContent !== "Ja, so machen"`)
		w.press("Zurück")

		w.press("Erledigt: Spotify")
		w.until("it is put aside", `!e2e.press("Erledigt: Spotify")`)
		w.back("Rückgängig", "Ja, so machen")
		w.until("it is back", `e2e.press("Erledigt: Spotify")`)

		// What an agent or another member does shows by itself.
		id, _ := i.tool("ben", "household_subscription_add", map[string]any{"name": "Von Ben " + w.t.Name(), "amount": "5.00", "cycle": "P1W", "first_date": "2026-01-01"})["id"].(string)
		w.see("Von Ben")
		i.ask("ben", "POST", "/api/nodkeep/tools/household_subscription_update", map[string]any{"id": id, "name": "Umbenannt " + w.t.Name()})
		w.see("Umbenannt")
	})
}

func TestHouseholdBegins(t *testing.T) {
	i := serve(t)
	i.each(t, func(i *instance, w *tab) {
		w.see("Import a statement", "Add a subscription", "Connect an agent")
		w.plain()
		w.press("Add a subscription")
		w.until("the form", "document.querySelector('.sub-form')")
		w.visit("#/subscriptions")
		w.see("No subscriptions yet.")
		w.plain()
	})
}
