package e2e

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
)

// TestUsage agrees to an assistant, sees what it costs and how far the limits are, sets one's
// own, and asks for more.
func TestUsage(t *testing.T) {
	// A host that reports more than can be counts as all that was held: known, whatever a prompt has.
	address := host(t, fake.Turn{Times: -1, When: func(a fake.Asked) bool { return strings.Contains(string(a.Raw), "much to say") }, Steps: []fake.Step{fake.Say("Little.")}, Usage: &fake.Usage{Uncached: 1e9, Output: 1e9}})
	i := models(t, "ASSISTANTS=house,far", "ASSISTANT_HOUSE_BASE_URL="+address, "ASSISTANT_FAR_NAME=Lejos", "ASSISTANT_FAR_MODEL=mistral-large-latest",
		"ASSISTANT_FAR_BASE_URL=https://api.mistral.ai/v1", "ASSISTANT_FAR_KEY="+fake.Key)
	i.ask("ana", "POST", "/api/nodkeep/operator/grants", map[string]any{"assistant": "house", "allow": true, "everybody": true})
	for name, l := range map[string]look{"desktop": {width: 1280, height: 900, language: "es", dark: true}, "phone": {width: 375, height: 740, language: "es"}} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			who := map[string]string{"desktop": "ben", "phone": "carla"}[name]
			i.ask(who, "POST", "/api/nodkeep/me", map[string]any{"language": "es"})
			w := i.signIn(who, l)
			w.visit("#/usage")
			w.see("Lo consumido", "No hay ningún límite.", "Aún sin aceptar", "Lejos")
			w.accessible()
			w.press("Ver qué va adónde: House")
			w.see("Antes de preguntar a House", "nada sale de ella")
			w.keep("consent")
			w.accessible()
			w.press("Aceptar")
			w.see("Aceptado el")

			i.question(who, "first", "There is not much to say, is there?")
			used := i.ask(who, "GET", "/api/nodkeep/me/usage", nil)
			tokens := int(used["day"].(map[string]any)["tokens"].(float64))
			i.ask("ana", "POST", "/api/nodkeep/operator/budgets", map[string]any{"accounts": []string{who}, "day_tokens": tokens * 5 / 2, "month_cost": "5"})
			w.visit("#/more")
			w.visit("#/usage")
			w.see("Tokens de hoy", "de 5,00")
			i.question(who, "second", "There is not much to say, is there?") // the second brings it to four fifths
			w.until("the notice, once", `document.querySelectorAll(".toast").length > 0`)
			if n := eval[int](w, `document.querySelectorAll(".toast").length`); n != 1 {
				t.Errorf("%d notices", n)
			}
			w.visit("#/more")
			w.visit("#/usage")
			w.until("the bar near its end", `document.querySelector(".gauge.near[role=meter]")?.getAttribute("aria-valuenow") >= 80`)
			w.see("house")
			w.keep("bars")
			w.accessible()

			w.press("Cambiar los límites propios")
			w.fill("Coste al día", "most")
			w.fill("Importe en USD", "0,0012")
			w.press("Guardar")
			w.see("límite propio")
			w.until("the amount to its last place", `e2e.text().replace(/\s/g, " ").match(/0,0012 (US\$|\$|USD)/)`)

			w.press("Pedirlo: Lejos")
			w.fill("Por qué, si quieres", "مرحبا <b>")
			w.press("Pedir")
			w.see("El asistente far", "مرحبا <b>", "Abierta")
			w.press("Pedir más presupuesto")
			w.fill("Tokens al día", "twice")
			w.accessible()
			w.keep("more")
			w.press("Pedir")
			w.see("Tokens al día: ")
			w.press("Retirar: House")
			w.see("Aún sin aceptar")
			w.accessible()
			w.keep("after")
			if got := i.ask(who, "GET", "/api/nodkeep/me/assistants", nil)["items"].([]any)[0].(map[string]any)["agreed"]; got != false {
				t.Errorf("agreed is %v", got)
			}
		})
	}
}

// question asks an assistant as somebody, and waits for the end.
func (i *instance) question(who, id, text string) {
	i.t.Helper()
	body := fmt.Sprintf(`{"client_id": %s, "text": %s, "assistant": "house"}`, quote(id), quote(text))
	req, err := http.NewRequest("POST", i.base+"/api/nodkeep/ask", strings.NewReader(body))
	if err != nil {
		i.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", i.token(who))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	defer resp.Body.Close()
	if said, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(said), "event: turn") || strings.Contains(string(said), "event: error") {
		i.t.Fatalf("%d %v\n%s", resp.StatusCode, err, said)
	}
}

// TestUsageExact writes money without ever making a float of it, and a file that no
// spreadsheet takes for formulas.
func TestUsageExact(t *testing.T) {
	i := serve(t)
	w := i.signIn("ana", desktop)
	for micros, want := range map[string]string{"0": "0.000000", "1": "0.000001", "1200": "0.001200", "-5": "-0.000005", "999999999999999": "999999999.999999", "90071992547409.91e2": "9007199254.740991"} {
		if got := eval[string](w, `import("/lib/micros.js").then((m) => m.decimal(`+micros+`))`); got != want {
			t.Errorf("%s is %s, not %s", micros, got, want)
		}
	}
	for said, want := range map[string]string{`m.micros(1200, "EUR")`: "€0.0012", `m.micros(1, "EUR")`: "€0.000001", `m.micros(2500000, "EUR")`: "€2.50", `m.micros(999999999999999, "EUR")`: "€999,999,999.999999", `m.fine("0.10", "EUR")`: "€0.10"} {
		if got := eval[string](w, `import("/lib/micros.js").then((m) => `+said+`)`); got != want {
			t.Errorf("%s is %s, not %s", said, got, want)
		}
	}
	got := eval[string](w, `import("/pages/operator/csv.js").then((m) => m.sheet([{month: "2026-11", handle: "=1+1", person: "x", assistant: 'a,"b', requests: 2, unpriced: 0, input_uncached: 40, cache_read: 0, cache_write: 0, output: 20, cost_micros: 18, currency: "USD"}]))`)
	if want := "\ufeffperiod,account,assistant,requests,unpriced,input_uncached,cache_read,cache_write,output,cost,currency\r\n2026-11,'=1+1,\"a,\"\"b\",2,0,40,0,0,20,0.000018,USD\r\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
