package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestShellPalette(t *testing.T) {
	i := demo(t, "de")
	each(t, i, func(t *testing.T, i *instance, l look) {
		opens := map[bool]string{true: "Suchen", false: "Suche und Befehle"}[l.width > 600]
		w := i.signIn("ana", l)
		w.see("Übersicht")
		w.press(opens)
		w.until("a field with the focus", `document.activeElement.matches("dialog [role=combobox]")`)
		w.accessible()
		w.keep("palette")
		w.write("kundigen")
		w.until("what is called so, whatever its accents", `e2e.all("[role=option]", "Abo kündigen")[0]`)
		w.until("the first choice", `document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.getAttribute("aria-selected") === "true"`)
		w.keep("found")
		w.fill("Suche und Befehle", "was ausgegeben wurde")
		// Whoever names a command does not send it to a model, by a quick Enter either.
		w.until("the tool, and the question after it", `[...document.querySelectorAll("[role=option]")].slice(0, 2).map((e) => e.textContent.slice(0, 11)).join("|") === "Was ausgege|Fragen: was"`)
		w.key(kb.ArrowDown)
		w.until("the question", `document.querySelector("[aria-selected=true]")?.textContent.startsWith("Fragen: was")`)
		w.key(kb.ArrowUp)
		w.until("the tool", `document.querySelector("[aria-selected=true]")?.textContent.startsWith("Was ausgegeben wurde")`)
		w.key(kb.Enter)
		w.until("the tool", `document.querySelector("h1")?.textContent === "Was ausgegeben wurde"`)
		w.see("Ergebnis")
		w.until("a table", `document.querySelector("#main table td")`)
		w.accessible()
		w.keep("read")
		w.run(`history.back()`)
		w.until("the page before", `document.querySelector("h1")?.textContent === "Übersicht"`)

		// A tool that changes something, by its schema alone; what the server finds wrong stands at the field.
		w.allow("Failed to load resource")
		w.visit("#/tool/household_subscription_add")
		w.fill("Name", "Turnverein ⚽")
		w.fill("Betrag", "zwölf")
		w.fill("Zyklus", "P1M")
		w.press("19 weitere Felder")
		w.fill("Erste Abbuchung", "2026-11-02")
		w.press("Hinzufügen: Schlagwörter")
		w.fill("Schlagwörter 1", "Sport")
		w.accessible()
		w.keep("form")
		w.press("Ausführen")
		w.until("the fault at the field", `document.activeElement.name === "amount" && document.activeElement.getAttribute("aria-invalid") === "true"`)
		w.until("what was typed", `e2e.field("Name").value === "Turnverein ⚽" && e2e.field("Schlagwörter 1").value === "Sport"`)
		w.fill("Betrag", "12.50")
		w.press("Ausführen")
		w.see("Ergebnis", "Turnverein ⚽", "12,50 €")
		w.press("Rückgängig")
		w.see("Das löscht", "Gelöscht: Turnverein")
		w.press("Ja, so machen")
		w.see("Rückgängig gemacht")

		// What a plugin adds, and a question.
		w.press(opens)
		w.write("probezeit")
		w.until("a command of the plugin", `e2e.all("[role=option]", "Probezeiten")[0]`)
		w.fill("Suche und Befehle", "wie viel im Monat")
		w.until("the question first", `document.querySelector("[aria-selected=true]")?.textContent.startsWith("Fragen: wie")`)
		w.key(kb.Enter)
		w.until("the talk, with what was asked", `!document.querySelector("dialog.palette") && e2e.text().includes("wie viel im Monat")`)
		w.keep("asked")
		w.visit("#/")

		w.visit("#/tools/household")
		w.fill("Suchen", "kategor")
		w.see("Kategorien")
		w.miss("Abo kündigen")
		w.accessible()
	})
}
