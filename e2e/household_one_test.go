package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func (i *instance) subscribed(who string, args map[string]any) string {
	i.t.Helper()
	in := map[string]any{"amount": "12.50", "cycle": "P1M", "first_date": "2026-09-12"}
	for k, v := range args {
		in[k] = v
	}
	return i.tool(who, "household_subscription_add", in)["id"].(string)
}

func TestHouseholdOne(t *testing.T) {
	i := demo(t, "de")
	i.each(t, func(i *instance, w *tab) {
		w.visit("#/subscriptions/" + i.subscription("ana", "Netflix"))
		w.see("bezahlt")
		w.until("its name on statements, once", `![...document.querySelectorAll(".charge .small")].some((e) => e.textContent === "Netflix")`)

		id := i.subscribed("ana", map[string]any{"name": "Turnhalle " + w.t.Name(), "notes": "Zeile eins\nZeile zwei", "tags": []string{"sport"}, "url": "https://example.com/konto"})
		w.visit("#/subscriptions/" + id)
		w.see("Turnhalle", "12,50", "jeden Monat", "Zeile zwei", "sport", "offen")
		w.plain()

		w.tap("Pausieren")
		w.until("the form", `document.querySelector("dialog[open]")`)
		w.fill("Geht weiter am", "2020-01-01")
		w.allow("400", "409", "404")
		w.tap("Pausieren")
		w.until("the fault, and what was typed", `document.querySelector("dialog[open] [role=alert]") && e2e.field("Geht weiter am").value === "2020-01-01"`)
		w.fill("Geht weiter am", "2099-01-01")
		w.tap("Pausieren")
		w.see("pausiert")
		w.tap("Fortsetzen")
		w.until("the form", `document.querySelector("dialog[open]")`)
		w.tap("Fortsetzen")
		w.tap("Ja, so machen") // one that began today is deleted
		w.until("it runs again", `e2e.press("Pausieren")`)

		w.tap("Kündigen")
		w.until("the form", `document.querySelector("dialog[open]")`)
		w.tap("Weiter")
		w.until("the card", `document.querySelector("dialog[open] button.grave.main") && !document.activeElement.matches("button.grave")`)
		w.tap("Ja, so machen")
		w.see("gekündigt")
		w.tap("Zurücknehmen")
		w.see("aktiv")

		w.tap("Neuer Preis")
		w.fill("Betrag", "1x")
		w.fill("Ab", "2099-01-01")
		w.tap("Speichern")
		w.until("the fault at the amount", `e2e.field("Betrag").getAttribute("aria-invalid") === "true"`)
		w.accessible()
		w.fill("Betrag", "14,00")
		w.tap("Speichern")
		w.see("+1,50", "1. Jan. 2099")
		w.plain()
		w.tap("Preis ab 1. Jan. 2099 löschen")
		w.until("the price is gone or its card is there", `document.querySelector("dialog[open]") || !e2e.text().includes("+1,50")`)
		if eval[bool](w, `!!document.querySelector("dialog[open]")`) {
			w.tap("Ja, so machen")
		}
		w.miss("+1,50")

		w.tap("Bestätigen: 12. Sept. 2026")
		w.see("bezahlt")
		w.tap("Anpassen …: 12. Okt. 2026")
		w.until("the form", `document.querySelector("dialog[open]")`)
		w.fill("Betrag", "13")
		w.fill("Notiz", "teurer <b>x</b>")
		w.tap("Bestätigen")
		w.see("anderer Betrag", "teurer <b>x</b>")
		w.tap("Auslassen: 12. Nov. 2026")
		w.see("ausgelassen")
		w.tap("Zurücknehmen: 12. Nov. 2026")
		w.until("the card or the end", `document.querySelector("dialog[open]") || !e2e.text().includes("ausgelassen")`)
		if eval[bool](w, `!!document.querySelector("dialog[open]")`) {
			w.tap("Ja, so machen")
		}
		w.miss("ausgelassen")
		w.tap("Bearbeiten: 12. Sept. 2026")
		w.fill("Notiz", "Kasse")
		w.tap("Speichern")
		w.see("Kasse")

		w.click("the menu", `document.querySelector("details.menu > summary")`)
		w.accessible()
		w.tap("Aufteilen")
		w.accessible()
		w.tap("Speichern")
		w.see("Wer was trägt", "6,25")
		w.click("the menu", `document.querySelector("details.menu > summary")`)
		w.tap("Vertragsbedingungen")
		w.fill("Mindestlaufzeit", "12")
		w.fill("Kündigungsfrist", "1")
		w.tap("Speichern")
		w.see("12 Monate", "Kündigung bis")

		w.click("Verlauf", `[...document.querySelectorAll("main details > summary")].find((e) => e.innerText.includes("Verlauf"))`) // beside a page of that name
		w.see("Eine Abbuchung bestätigen")
		w.until("the way back", `e2e.press("Rückgängig: ")`)
		w.plain()

		// Another changes it, and then deletes it, while it is looked at.
		i.tool("ben", "household_subscription_update", map[string]any{"id": id, "notes": "von Ben"})
		w.see("von Ben")
		preview := i.ask("ben", "POST", "/api/nodkeep/tools/household_subscription_delete?preview=1", map[string]any{"id": id})
		i.digest("ben", "household_subscription_delete", map[string]any{"id": id}, preview["digest"].(string))
		w.see("wurde inzwischen gelöscht")
		w.plain()
	})
}

// digest applies what a preview shows.
func (i *instance) digest(who, tool string, args map[string]any, digest string) {
	i.t.Helper()
	body, err := json.Marshal(args)
	if err != nil {
		i.t.Fatal(err)
	}
	req, err := http.NewRequest("POST", i.base+"/api/nodkeep/tools/"+tool, bytes.NewReader(body))
	if err != nil {
		i.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", i.token(who))
	req.Header.Set("X-Nodkeep-Digest", digest)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		i.t.Fatalf("%s: %d", tool, resp.StatusCode)
	}
}

// What others keep for themselves is not there, and names of any kind break nothing.
func TestHouseholdNames(t *testing.T) {
	i := demo(t, "de")
	secret := i.subscribed("ben", map[string]any{"name": "Geheim", "private": true})
	rude := strings.Repeat("W", 60) + "🎉" + strings.Repeat("x", 59)
	for n, in := range []map[string]any{
		{"name": rude, "notes": strings.Repeat("y", 500), "tags": []string{"<i>t</i>"}},
		{"name": "<img src=x onerror=alert(1)>", "notes": "<script>alert(1)</script>", "account": "\"><b>", "merchant": "</div>"},
		{"name": "اشتراك الموسيقى", "notes": "ملاحظة", "amount": "900", "currency": "JPY"},
		{"name": "Kuwait", "amount": "1.250", "currency": "KWD"},
	} {
		id := i.subscribed("ana", in)
		for _, l := range []look{phone, {width: 320, height: 700}} {
			w := i.signIn("ana", l)
			w.visit("#/subscriptions/" + id)
			w.until("its charges", `document.querySelector(".charge")`)
			w.plain()
			if n == 0 {
				w.keep("rude")
			}
			w.visit("#/subscriptions/" + id + "/edit")
			w.until("the form", `document.querySelector(".sub-form")`)
			w.plain()
		}
	}
	w := i.signIn("ana", phone)
	for _, path := range []string{"#/", "#/subscriptions"} {
		w.visit(path)
		w.see("900", "1,250", "<img src=x")
		w.miss("Geheim")
		w.plain()
		w.keep("names")
	}
	w.allow("404")
	w.visit("#/subscriptions/" + secret)
	w.see("Dieses Abo gibt es nicht.")
}
