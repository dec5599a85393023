package e2e

import "testing"

func TestCalendar(t *testing.T) {
	i := demo(t, "es")
	today, _ := i.tool("ana", "household_settings_get", map[string]any{})["today"].(string)
	// One is due today: whatever the day, there is something to be done on it.
	for _, name := range []string{"Uno", "Dos", "Tres"} {
		i.tool("ana", "household_subscription_add", map[string]any{"name": name, "amount": "7.50", "currency": "EUR", "cycle": "P1Y", "first_date": today})
	}
	t.Run("desktop", func(t *testing.T) {
		i := i.on(t)
		w := i.signIn("ana", desktop)
		w.until("the household's pages", `document.querySelector("nav.nav a[href='#/subscriptions']")`)
		w.press("Calendario")
		w.until("a grid", `document.querySelector("table.month[role=grid]")`)
		w.until("weeks that begin on Monday", `document.querySelector("table.month th").abbr === "lunes"`)
		w.see("aún previsto", "Netflix")
		w.inBoth("month")

		// One stop for the Tab key; arrows go from there.
		w.until("one stop", `document.querySelectorAll("table.month [tabindex='0']").length === 1`)
		w.run(`document.querySelector("table.month [tabindex='0']").focus()`)
		at := eval[string](w, `document.activeElement.querySelector(".dayno").textContent`)
		key := map[bool]string{true: "ArrowRight", false: "ArrowLeft"}[at == "1"] // not out of the month
		w.until("the day beside it has the focus", `(document.activeElement.matches("table.month button") && document.activeElement.querySelector(".dayno").textContent !== `+quote(at)+`) || (document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: `+quote(key)+`, bubbles: true, cancelable: true })), false)`)
		title := eval[string](w, `document.querySelector("h1").textContent`)
		w.run(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown", bubbles: true, cancelable: true }))`)
		w.until("the next month, with the focus in it", `document.querySelector("h1").textContent !== `+quote(title)+` && document.activeElement.matches("table.month button")`)
		w.press("Hoy")
		w.until("this month", `document.querySelector("h1").textContent === `+quote(title))

		w.click("today", `document.querySelector("table.month .now button")`)
		w.see("Uno", "Previsto")
		w.inBoth("day")
		sums := eval[string](w, `document.querySelector(".sums").textContent`)
		w.click("confirm", `[...document.querySelectorAll("dialog .entries li")].find((l) => l.textContent.includes("Uno")).querySelector("button")`)
		w.see("Deshacer")
		w.until("the sheet is gone", `!document.querySelector("dialog[open]")`)
		w.until("it is booked", `document.querySelector(".sums").textContent !== `+quote(sums))
		w.press("Deshacer")
		w.press("Sí, hazlo") // it deletes a charge
		w.until("it is taken back", `document.querySelector(".sums").textContent === `+quote(sums))

		w.fill("Suscripción", "Dos")
		w.until("only one", `[...document.querySelectorAll(".happens")].length === 1`)
	})
	t.Run("phone", func(t *testing.T) {
		i := i.on(t)
		w := i.signIn("ana", look{width: phone.width, height: phone.height, dark: true})
		w.until("the household's pages", `document.querySelector("nav.nav a[href='#/subscriptions']")`)
		w.visit("#/calendar")
		w.until("a list of days", `document.querySelector("ol.agenda .now")`)
		w.until("what can be done with a charge, in one line", `[...document.querySelectorAll(".agenda .acts")].every((e) => new Set([...e.children].map((b) => b.getBoundingClientRect().top)).size === 1)`)
		w.inBoth("agenda")
		w.press("Ajustar …: Tres")
		w.fill("Importe en EUR", "8,25") // as it is written here
		w.inBoth("otherwise")
		w.press("Confirmar")
		w.until("what was paid", `document.querySelector("ol.agenda .now").textContent.includes("8,25") && document.querySelector("ol.agenda .now").textContent.includes("7,50")`)
		w.press("Omitir: Dos")
		w.until("it is skipped", `document.querySelector("ol.agenda .now").textContent.includes("Omitido")`)
		w.press("Mes siguiente")
		w.until("another month", `!document.querySelector("ol.agenda .now")`)

		w.visit("#/savings")
		w.see("Qué podría costar menos", "Audiobooks", "Netflix")
		w.inBoth("savings")
	})
}

// TestCalendarTablet: in narrow days, a sign stands before the name that it is of, however long that is.
func TestCalendarTablet(t *testing.T) {
	i := demo(t, "en")
	i.ask("ana", "POST", "/api/nodkeep/tools/household_subscription_add", subscription("Electricity and heating"))
	w := i.signIn("ana", look{width: 768, height: 1024, language: "en"})
	w.until("the household's pages", `document.querySelector("nav.nav a[href='#/subscriptions']")`)
	w.visit("#/calendar")
	w.until("its sign beside it", `(() => {
	const names = [...document.querySelectorAll("table.month .happens > .spot + span")]
	return names.some((e) => e.textContent.startsWith("Electricity")) && names.every((e) => e.previousElementSibling.getBoundingClientRect().bottom > e.getBoundingClientRect().top)
})()`)
	w.accessible()
}
