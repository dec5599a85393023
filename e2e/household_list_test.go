package e2e

import (
	"fmt"
	"testing"
)

// restored brings a household of n subscriptions in, as exports of some of them: all at once
// may take longer than a change may, on a machine that has other things to do.
func (i *instance) restored(n int) {
	i.t.Helper()
	for from := 0; from < n; from += 250 {
		i.tool("ana", "household_restore", map[string]any{"household": many(from, min(from+250, n))})
	}
}

func many(from, to int) map[string]any {
	var subs []map[string]any
	for k := from; k < to; k++ {
		subs = append(subs, map[string]any{
			"id": fmt.Sprintf("many%011d", k), "name": fmt.Sprintf("Servicio %04d", k), "amount": 100 + k, "currency": []string{"EUR", "JPY", "KWD"}[k%3],
			"cycle": "P1M", "first_date": "2025-06-01", "status": "active", "owner": "ana",
		})
	}
	return map[string]any{"version": 1, "subscriptions": subs}
}

const names = `[...document.querySelectorAll(".sub .line b")].map((x) => x.textContent)`

// tick is the box of a subscription in the list.
func tick(name string) string {
	return `[...document.querySelectorAll(".sub")].find((e) => e.querySelector(".line b").textContent === ` + quote(name) + `)?.querySelector("input")`
}

func TestHouseholdList(t *testing.T) {
	i := demo(t, "es")
	i.each(t, func(i *instance, w *tab) {
		w.visit("#/subscriptions")
		w.see("Netflix", "Vodafone")
		w.until("the state beside the name, and prices one below the other", `new Set([...document.querySelectorAll(".sub .cost")].map((e) => Math.round(e.getBoundingClientRect().right))).size === 1 && document.querySelector(".sub .line .chip")`)
		w.plain()
		w.keep("list")

		w.fill("Buscar por nombre", "flix")
		w.miss("Vodafone")
		w.until("the address to say so", `location.hash.includes("search=flix")`)
		w.fill("Buscar por nombre", "nada así")
		w.see("Nada coincide.")
		w.press("Volver a mostrar todas")
		w.see("Vodafone")

		w.fill("Orden", "next")
		w.until("the next charge to be first", names+`[0] === "Spotify"`)
		w.fill("Orden", "per_month")
		w.until("the dearest to be first", names+`[0] === "Stadtwerke Strom"`)
		w.fill("Orden", "Por nombre")
		w.press("Filtrar")
		w.fill("Estado", "trial")
		w.until("the one on trial alone", names+`.join() === "Audiobooks"`)
		w.plain()
		w.press("Volver a mostrar todas")
		w.until("all again", names+`.length > 5`)
		w.press("Solo las privadas")
		w.see("Nada coincide.")
		w.visit("#/subscriptions")
		w.until("all again", names+`.length > 5`)

		// A range by the shift key, one card for all, and one Undo.
		w.run(`(document.querySelectorAll("input[data-sub]")[1].click())`)
		w.run(`(document.querySelectorAll("input[data-sub]")[3].dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, shiftKey: true})))`)
		w.see("3 seleccionadas")
		w.plain()
		w.keep("ticked")
		w.press("Cambiar")
		w.until("the form", `document.querySelector("dialog[open]")`)
		w.fill("Añadir etiquetas", "uno, dos")
		w.press("Continuar")
		w.see("Sí, hazlo")
		w.accessible()
		w.press("Sí, hazlo")
		w.until("the ticks to be gone", `!document.querySelector(".bulk")`)
		if got := len(i.tool("ana", "household_subscription_list", map[string]any{"tag": "dos"})["items"].([]any)); got != 3 {
			t.Errorf("%d have the tag, want 3", got)
		}
		w.back("Deshacer", "Sí, hazlo")
		if got := len(i.tool("ana", "household_subscription_list", map[string]any{"tag": "dos"})["items"].([]any)); got != 0 {
			t.Errorf("%d still have the tag", got)
		}

		// Others in the list by the same way; what is refused stays in the form.
		w.click("Netflix", tick("Netflix"))
		w.press("Reanudar")
		w.until("the form", `document.querySelector("dialog[open]")`)
		w.allow("400", "409")
		w.press("Continuar")
		w.until("why not", `document.querySelector("dialog[open] [role=alert]")`)
		w.press("Volver")
		w.press("Pausar")
		w.fill("Sigue desde el", "2099-01-01")
		w.press("Continuar")
		w.press("Sí, hazlo")
		w.until("it rests", `[...document.querySelectorAll(".sub .chip")].some((e) => e.textContent === "en pausa")`)
		w.back("Deshacer", "Sí, hazlo")
		w.until("it runs", `![...document.querySelectorAll(".sub .chip")].some((e) => e.textContent === "en pausa")`)
		for _, act := range []string{"Eliminar", "Dar de baja"} {
			w.click("Netflix", tick("Netflix"))
			w.press(act)
			w.until("the dialog", `document.querySelector("dialog[open]")`)
			if act == "Dar de baja" {
				w.press("Continuar")
			}
			w.until("no grave button has the focus", `document.querySelector("dialog[open] button.grave.main") && !document.activeElement.matches("button.grave")`)
			w.press("Sí, hazlo")
			w.back("Deshacer", "Sí, hazlo")
			w.until("it is back", names+`.includes("Netflix") && ![...document.querySelectorAll(".sub .chip")].some((e) => e.textContent === "cancelada")`)
		}
	})
}

func TestHouseholdThousand(t *testing.T) {
	i := serve(t)
	i.restored(1000)
	i.each(t, func(i *instance, w *tab) {
		w.visit("#/subscriptions?sort=next")
		w.until("the first fifty", names+`.length === 50`)
		// Of rows that are far away the page keeps the height alone.
		for n := 2; n <= 20; n++ { // all thousand, as one scrolls
			w.until(fmt.Sprint(n, " times fifty"), fmt.Sprintf(`(scrollTo(0, document.body.scrollHeight), document.querySelectorAll(".block").length >= %d)`, n))
		}
		w.until("the end, and little else", names+`.length >= 50 && `+names+`.length < 500`)
		w.until("the beginning again", `(scrollTo(0, 0), document.querySelector("input[data-sub]"))`)
		w.see("1,000 subscriptions")
		w.run(`document.querySelector("input[data-sub]").click()`)
		w.press("Select all")
		w.see("1,000 selected", "At most 500 at once")
		w.press("Select none")
		w.until("the bar to be gone", `!document.querySelector(".bulk")`)
	})
}

// TestHouseholdListSum: what is filtered costs what the server says, also once something changes
// and where the server is out of reach.
func TestHouseholdListSum(t *testing.T) {
	i := serve(t)
	sub := func(name, amount, currency string, tags ...string) string {
		return i.subscribed("ana", map[string]any{"name": name, "amount": amount, "currency": currency, "cycle": "P1M", "first_date": "2025-06-01", "tags": tags})
	}
	flix := sub("Flix", "10.10", "EUR", "tv")
	sub("Kino", "0.20", "EUR", "tv")
	i.tool("ana", "household_subscription_pause", map[string]any{"id": sub("Rest", "50.00", "EUR", "tv")})
	sub("Daily News", "15.99", "USD")
	for n := range 60 {
		sub(fmt.Sprintf("Many %02d", n), "1.01", "EUR", "many")
	}
	i.each(t, func(i *instance, w *tab) {
		w.allow("ERR_INTERNET_DISCONNECTED", "Failed to load resource")
		w.visit("#/subscriptions?tag=tv")
		w.see("€10.30 a month", "€123.60 a year", "3 subscriptions · 1 of them is paused")
		w.keep("sum")
		w.plain()
		w.visit("#/subscriptions?tag=many") // more than are loaded
		w.see("€60.60 a month", "€727.20 a year", "60 subscriptions")
		w.press("Show all again")
		w.see("€70.90 a month", "$15.99 a month", "no exchange rate of USD")
		w.keep("sum_currencies")
		w.plain()
		w.visit("#/subscriptions?tag=tv")
		w.see("€10.30 a month")
		i.tool("ana", "household_subscription_update", map[string]any{"id": flix, "amount": "12.10"})
		w.see("€12.30 a month")
		w.offline(true)
		w.visit("#/settings")
		w.visit("#/subscriptions?tag=tv")
		w.see("€12.30 a month")
		w.visit("#/subscriptions?tag=many")
		w.see("€60.60 a month")
		w.offline(false)
		i.tool("ana", "household_subscription_update", map[string]any{"id": flix, "amount": "10.10"})
	})
}
