package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/page"
)

func TestHouseholdForm(t *testing.T) {
	i := demo(t, "es")
	i.each(t, func(i *instance, w *tab) {
		w.visit("#/subscriptions/add")
		w.until("the form", `document.querySelector(".sub-form")`)
		w.plain()
		w.keep("add")

		// What is missing is said where it is asked for, in words, before anything is sent.
		w.press("Añadir")
		w.see("Ponle un nombre.")
		w.fill("Nombre", "x")
		w.fill("Importe", "1")
		w.press("Añadir")
		w.see("Elige un día en que se cobra.")
		w.until("the fault at the day", `e2e.field("Se cobra el").getAttribute("aria-invalid") === "true"`)
		name := "Gimnasio " + w.t.Name()
		w.fill("Nombre", name)
		w.fill("Importe", "12,999")
		w.fill("Se cobra el", "2026-10-31")
		w.fill("Cada cuánto", "P4W")
		w.press("Empieza con una prueba")
		w.fill("Último día gratis", "2099-01-01")
		w.press("Empieza con una prueba")
		w.fill("Etiquetas", "deporte")
		w.allow("400", "404")

		// A fault stands at its field, and nothing that was typed is lost, not even by a reload.
		w.press("Añadir")
		w.until("the fault at the amount", `e2e.field("Importe").getAttribute("aria-invalid") === "true" && e2e.field("Importe").value === "12,999"`)
		w.plain()
		command(w, page.Reload, page.ReloadParams{})
		w.until("what was typed", `document.querySelector(".sub-form") && e2e.field("Nombre").value === `+quote(name)+` && e2e.field("Cada cuánto").value === "P4W" && e2e.field("Etiquetas").value === "deporte"`)
		w.see("Lo que empezaste sigue aquí.")

		w.press("Nueva: Categoría")
		w.until("the form of a category", `document.querySelector("dialog[open]")`)
		w.fill("Nombre", "Salud "+w.t.Name())
		w.accessible()
		w.press("Añadir")
		w.until("the new category to be chosen", `e2e.field("Categoría").selectedOptions[0]?.text.startsWith("Salud")`)
		w.press("Contrato, cuenta, notas")
		w.fill("Notas", "مرحبا <b>🎉</b>")
		w.fill("Duración mínima", "24")
		w.press("Repartir por igual entre todos")
		w.fill("Importe", "12,90")
		w.press("Añadir")
		w.see("Añadida: Gimnasio", "cada 4 semanas", "مرحبا <b>🎉</b>", "24 meses", "6,45", "Salud")
		w.plain()
		w.keep("added")

		w.press("Editar")
		w.until("the form", `document.querySelector(".sub-form") && e2e.field("Importe").value === "12.90"`)
		w.plain()
		w.fill("Nombre", "Cambiado "+w.t.Name())
		w.fill("Importe", "15")
		w.press("Cuesta eso desde un día")
		w.fill("Desde", "2099-01-01")

		// Another's change comes into the form; what was typed in it stays.
		id := eval[string](w, `location.hash.split("/")[2]`)
		i.tool("ben", "household_subscription_update", map[string]any{"id": id, "tags": []string{"de ben"}})
		w.see("Se ha cambiado mientras tanto.")
		w.until("both changes", `e2e.field("Etiquetas").value === "de ben" && e2e.field("Nombre").value.startsWith("Cambiado") && e2e.field("Importe").value === "15"`)
		w.press("Guardar")
		w.see("Cambiado", "2099", "de ben")
		w.until("the page of it", `!document.querySelector(".sub-form")`)
		sub := i.tool("ana", "household_subscription_get", map[string]any{"id": id})
		if sub["amount"] != "12.90" || len(sub["prices"].([]any)) != 2 || len(sub["tags"].([]any)) != 1 {
			t.Errorf("it is %v", sub)
		}

		// All that was added is taken back as one.
		w.visit("#/subscriptions/add")
		w.until("an empty form", `document.querySelector(".sub-form") && e2e.field("Nombre").value === ""`)
		w.fill("Nombre", "Yenes")
		w.fill("Importe", "900")
		w.fill("Moneda", "jpy")
		w.fill("Se cobra el", "2026-10-31")
		w.press("Privada: nadie más la ve")
		w.tap("Añadir")
		w.see("Añadida: Yenes", "900", "privada")
		w.back("Deshacer", "Sí, hazlo")
		w.see("Yenes se ha eliminado mientras tanto.")
	})
}
