package e2e

import (
	"strings"
	"testing"
	"time"
)

// chosen puts a file into the field for one that is shown.
func (w *tab) chosen(name, content string) {
	w.t.Helper()
	w.until("a field for a file", `document.querySelector("input[type=file]")`)
	w.run(`(() => { const input = document.querySelector("input[type=file]"), d = new DataTransfer()
		d.items.add(new File([` + quote(content) + `], ` + quote(name) + `)); input.files = d.files
		input.dispatchEvent(new Event("change", { bubbles: true })) })()`)
}

func TestHouseholdSettings(t *testing.T) {
	both(t, demo(t, "en"), func(t *testing.T, i *instance, w *tab) {
		w.visit("#/household/settings")
		w.see("Household settings", "Who bears what")
		w.inBoth("general")
		w.fill("Currency", "XQX")
		w.allow("400", "422")
		w.press("Save")
		w.until("why not", `document.querySelector("main [role=alert]")`)
		w.until("what was typed stays", `e2e.field("Currency").value === "XQX"`)
		w.fill("Currency", "EUR")
		w.fill("Remind of charges", "One day before")
		w.press("Save")
		w.see("Undo")
		w.until("kept", `e2e.field("Remind of charges").value === "1"`)
		w.until("an end of all movement", `document.getAnimations().every((a) => a.playState !== "running")`)
		w.press("Undo")
		w.see("Taken back")
		w.until("taken back", `e2e.field("Remind of charges").value === "3"`)

		w.press("Categories")
		w.press("Add")
		w.fill("Name", "Pets <b>🐈</b>")
		w.fill("Icon", "🐈")
		w.fill("With a colour", true)
		w.inBoth("category")
		w.click("add", `[...document.querySelectorAll("dialog button.main")].at(-1)`)
		w.see("Pets <b>🐈</b>")
		w.inBoth("categories")
		w.press("Edit: Pets")
		w.fill("Name", "Animals")
		w.click("save", `[...document.querySelectorAll("dialog button.main")].at(-1)`)
		w.see("Animals")
		w.press("Merge: Animals")
		w.fill("Into", "Home")
		w.press("Merge")
		w.see("Merge the category Animals into Home") // the card
		w.press("Yes, do this")
		w.until("no more", `![...document.querySelectorAll(".noun")].some((e) => e.textContent.includes("Animals"))`)

		w.press("Payment methods")
		w.press("Add")
		w.fill("Name", "Cash")
		w.click("add", `[...document.querySelectorAll("dialog button.main")].at(-1)`)
		w.see("Cash")
		w.press("Delete: Cash")
		w.press("Yes, do this")
		w.until("no more", `![...document.querySelectorAll(".noun")].some((e) => e.textContent.includes("Cash"))`)

		w.press("Tags")
		w.see("shared")
		i.tool("ana", "household_subscription_add", map[string]any{"name": "Tagged", "amount": "1.00", "currency": "EUR", "cycle": "P1M", "first_date": "2026-01-01", "tags": []string{"fun"}})
		w.press("Rename: fun")
		w.fill("New name", "joy")
		w.press("Save")
		w.press("Yes, do this")
		w.see("joy")
		w.inBoth("tags")
		w.press("Delete: joy")
		w.press("Yes, do this")
		w.until("no more", `![...document.querySelectorAll(".noun")].some((e) => e.textContent.includes("joy"))`)

		w.press("Exchange rates")
		w.see("Import exchange rates")
		w.chosen("eurofxref.csv", "nonsense")
		w.until("why not", `document.querySelector("main [role=alert]")`)
		w.chosen("eurofxref.csv", "Date, USD, CHF, \n"+yesterday(t)+", 1.0872, 0.9401, \n")
		w.press("Yes, do this")
		w.see("2 currencies")
		w.inBoth("rates")
		w.visit("#/spending")
		w.see("≈", "by the ECB") // converted, with the day and the source
		w.inBoth("converted")
		w.visit("#/spending?by=category") // of the months some are without a rate
		w.see("All converted to EUR", "By category, in USD")
		w.visit("#/household/settings?part=file")
		w.until("out and in", `document.querySelectorAll("section.panel").length === 2`)
		w.inBoth("file")
		w.holdFiles()
		w.press("Download JSON")
		w.see("Downloaded.")
		w.until("the file", `window.held.length === 1 && JSON.parse(window.held[0]).household.subscriptions.length > 5`)
		w.chosen("x.json", "[1]")
		w.see("This is no file that was exported as JSON.")

		elsewhere := serve(t)
		file := eval[string](w, "window.held[0]")
		w = elsewhere.signIn("ana", desktop)
		w.until("the household's pages", `document.querySelector("nav.nav a[href='#/subscriptions']")`)
		w.visit("#/household/settings?part=file")
		w.chosen("household.json", file)
		w.see("subscriptions") // the card
		w.press("Yes, do this")
		w.see("Restored.")
		if n := len(elsewhere.tool("ana", "household_subscription_list", map[string]any{"search": "Netflix"})["items"].([]any)); n != 1 {
			t.Errorf("%d of Netflix", n)
		}
		w.press("Undo")
		w.press("Yes, do this")
		w.see("Taken back")
	})
}

// yesterday is a day of rates, another one for each window.
func yesterday(t *testing.T) string {
	back := 1
	if strings.HasSuffix(t.Name(), "phone") {
		back = 2
	}
	return time.Now().AddDate(0, 0, -back).Format("2 January 2006")
}
