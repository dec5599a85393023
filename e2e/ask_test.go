package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestAsk asks the scripted assistant from anywhere: a stream of words, a card beside
// them, questions back, tables and charts, what is kept by a reload.
func TestAsk(t *testing.T) {
	i := demo(t, "es")
	for name, l := range map[string]look{"desktop": desktop, "phone": {width: 375, height: 740, dark: true}} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			w := i.signIn("ana", l)
			w.fill("Tu pregunta", "¿Cuánto pagamos?") // the box of the first page
			w.press("Enviar")
			w.answered(1)
			w.see("suscripciones en curso", "un guion, sin modelo", "Un paso")
			w.press("Un paso")
			w.see("Resumen")
			w.accessible()

			// A card stands beside the words, and what is said to it stays there.
			w.asks("Pausa Spotify dos meses")
			w.answered(2)
			w.see("Sí, hazlo")
			if eval[int](w, `document.querySelectorAll(".ask-words .card").length`) != 0 {
				t.Error("a card stands in the words")
			}
			w.accessible()
			w.keep("card")
			w.press("Sí, hazlo")
			w.see("Hecho", "Deshacer")
			w.press("Deshacer")
			w.see("Eliminado: pausa") // that deletes something, so it is looked at first
			w.press("Sí, hazlo")
			w.see("Deshecho")
			w.keep("done")

			// Closing the panel loses neither the talk nor what is written.
			w.run(`e2e.put(document.querySelector(".composer textarea"), "¿Y")`)
			w.run(`document.querySelector(".composer textarea").focus()`)
			w.key(kb.Escape)
			w.until("the end of the panel", `!document.querySelector(".ask-panel")`)
			w.press("Preguntar")
			w.until("the draft", `document.querySelector(".composer textarea")?.value === "¿Y"`)
			w.press("Abrir como página")
			w.until("the page", `location.hash === "#/ask" && document.querySelectorAll(".turn").length === 2`)
			w.fits("/ask")
			w.accessible()
			w.keep("page")

			// Nor does a reload.
			w.reload()
			w.until("the talk", `window.e2e && document.querySelectorAll(".turn").length === 2 && document.querySelector(".card")`)
			w.see("Deshecho")
			w.miss("en otro sitio")
			w.until("the draft", `document.querySelector(".composer textarea").value === "¿Y"`)

			w.asks("Añade una suscripción")
			w.answered(3)
			w.see("cada año")
			w.accessible()
			w.keep("form")
			w.fill("¿Cómo se llama?", "Gimnasio <b>🏋️</b>")
			w.fill("¿Cuánto cuesta cada vez?", "29,90")
			w.run(`[...document.querySelectorAll(".ask-questions label.chip")].find((e) => e.textContent.includes("cada año")).click()`)
			w.press("Responder")
			w.answered(4)
			w.see("Gimnasio <b>🏋️</b>")
			w.until("what was chosen", `document.querySelector(".ask-questions.done").innerText.includes("cada año")`)
			w.press("No, descartarlo")
			w.until("the reason", `document.querySelector(".refusal")`)
			w.press("No, descartarlo")
			w.see("Descartado")

			w.asks("Muestra los gastos de cada mes en barras")
			w.answered(5)
			w.until("the chart", `document.querySelector(".ask-screen figure.chart canvas")`)
			w.until("a page as high as the window", `document.documentElement.scrollHeight <= innerHeight + 1`)
			w.keep("bars")
			w.asks("Muestra todo en una tabla")
			w.answered(6)
			w.until("the table", `document.querySelectorAll(".ask-screen > .scroll tbody tr").length > 5`)
			w.fits("/ask")
			w.accessible()
			w.keep("table")

			w.press("Conversaciones")
			w.see("Las de los últimos 30 minutos", "¿Cuánto pagamos?")
			w.accessible()
			w.press("Conversación nueva")
			w.until("a new one", `!document.querySelector(".turn")`)
			w.press("Conversaciones")
			w.see("Las de los últimos 30 minutos")
			w.press("¿Cuánto pagamos?")
			w.until("the old one", `document.querySelectorAll(".turn").length === 6 && document.querySelectorAll(".ask-screen").length === 2`)

			w.asks("") // nothing is asked by nothing
			w.asks("🎉🎉🎉")
			w.answered(7)
			w.press("De qué se trata")
			w.see("Incluir lo que solo veo yo")
			w.accessible()
			w.key(kb.Escape)
			w.press("Asistente: ")
			w.see("En la máquina de esta instancia")
			w.accessible()
			w.keep("assistants")
		})
	}
}

// asks writes a question into the box, and sends it with the key.
func (w *tab) asks(text string) {
	w.t.Helper()
	const box = `document.querySelector(".composer textarea")`
	w.until("the box", box)
	w.run(fmt.Sprintf("(%s.focus(), e2e.put(%s, %s))", box, box, quote(text)))
	w.key(kb.Enter)
	if got := eval[string](w, box+".value"); strings.HasSuffix(got, "\n") {
		w.t.Errorf("sending leaves %q in the box", got)
	}
}

// answered waits until so many questions are.
func (w *tab) answered(n int) {
	w.t.Helper()
	w.until(fmt.Sprintf("answer %d", n), fmt.Sprintf(`document.querySelectorAll(".turn").length === %d && !document.querySelector(".turn .ask-going") && document.querySelector(".turn:last-child .ask-words").innerText.length > 10`, n))
}

// reload loads the page again, and waits until it is another.
func (w *tab) reload() {
	w.t.Helper()
	w.run("(window.before = true, location.reload())")
	w.until("the page again", `window.e2e && !window.before && document.querySelector("nav.nav")`)
}
