package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestActivity: what was done is found, narrowed, looked at and taken back; what an
// agent did since some time is taken back but for what somebody changed since.
func TestActivity(t *testing.T) {
	i := demo(t, "de")
	for name, l := range map[string]look{"desktop": {width: 1280, height: 900, language: "de"}, "phone": {width: 375, height: 740, dark: true, language: "de"}} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			i.asked(t, "ana", "Pausiere Spotify für zwei Monate")
			i.asked(t, "ana", "Ordne Netflix, Spotify und Audiobooks unter Streaming ein")
			i.try(i.token("ana"), "POST", "/api/nodkeep/tools/household_category_add", map[string]string{"name": "Home"}) // there is one: refused
			w := i.signIn("ana", l)
			w.allow("Failed to load resource") // the conflict
			w.visit("#/activity")
			w.see("Verlauf", "Frage an einen Assistenten", "Abgelehnt", "Terminal")
			w.accessible()
			w.keep("list")

			w.press("Abgelehnt")
			w.until("refusals alone", `document.querySelectorAll(".activity-row").length && [...document.querySelectorAll(".activity-row")].every((e) => e.innerText.includes("Abgelehnt"))`)
			if hash := eval[string](w, "location.hash"); !strings.Contains(hash, "state=refused") {
				t.Errorf("the address is %s", hash)
			}
			w.click("the refusal", `document.querySelector(".activity-row")`)
			w.see("Was verlangt war")
			w.accessible()
			w.keep("refused")
			w.press("Schließen")
			w.press("Filter aufheben")
			w.press("Filtern")
			w.fill("Werkzeug", "ask")
			w.until("questions alone", `document.querySelectorAll(".activity-row").length && [...document.querySelectorAll(".activity-row")].every((e) => e.innerText.includes("Frage"))`)
			w.click("the question", `document.querySelector(".activity-row")`)
			w.see("Token heraus", "Frage und Antwort werden hier nicht aufgehoben.")
			w.accessible()
			w.keep("question")
			w.press("Schließen")
			w.press("Filter aufheben")

			// One entry, and all of an agent.
			w.fill("Agent", "script")
			w.until("what agents did alone", `document.querySelector(".activity-row") && [...document.querySelectorAll(".activity-row")].every((e) => e.innerText.includes("Script"))`)
			w.click("what the agent did", `[...document.querySelectorAll(".activity-row")].find((e) => !e.innerText.includes("Frage") && !e.innerText.includes("Verworfen"))`)
			w.see("Alles von diesem Agenten seit …", "Spotify")
			w.keep("entry")
			i.change("ana", "Netflix", map[string]any{"category": "Home"}) // what the agent had set
			w.press("Alles von diesem Agenten seit …")
			w.fill("Seit", "2026-01-01T00:00:00")
			w.press("Zeigen, was das bewirkt")
			w.see("Diese lassen sich auslassen")
			w.accessible()
			w.keep("since")
			w.press("Diese auslassen")
			w.see("ausgelassen", "Spotify")
			w.accessible()
			w.keep("since_card")
			w.press("Ja, so machen")
			w.see("Rückgängig gemacht", "Zurückgenommen")

			// What others do meanwhile does not make the list jump.
			w.press("Filter aufheben")
			w.see("Rücknahme")
			i.change("ben", "Disney+", map[string]any{"name": "Disney " + name})
			w.see("1 neuer, anzeigen")
			w.press("1 neuer, anzeigen")
			w.see("Disney " + name)

			w.press("Einträge prüfen")
			w.see("so da, wie sie geschrieben wurden")
			w.keep("chain")
			w.press("Schließen")
			w.run(`(URL.createObjectURL = (blob) => (blob.text().then((s) => (window.carried = s)), "data:,"))`)
			w.press("Exportieren")
			w.see("CSV")
			w.accessible()
			w.press("CSV")
			w.miss("öffnet jede Tabellenkalkulation")
			w.until("the file", "window.carried")
			if csv := eval[string](w, "window.carried"); !strings.Contains(csv, "household_subscription_update") || !strings.Contains(csv, "Disney "+name) {
				t.Errorf("the file says %.500s", csv)
			}
			i.change("ben", "Disney "+name, map[string]any{"name": "Disney+"})
			i.change("ana", "Netflix", map[string]any{"category": ""})
		})
	}
}

// asked asks the scripted assistant, and says yes to what it proposes.
func (i *instance) asked(t *testing.T, who, text string) {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"client_id": fmt.Sprintf("trail-%d", time.Now().UnixNano()), "text": text})
	req, err := http.NewRequest("POST", i.base+"/api/nodkeep/ask", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", i.token(who))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if said, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %v %s", resp.StatusCode, err, said)
	}
	waiting, _ := i.ask(who, "GET", "/api/nodkeep/proposals?state=pending", nil)["items"].([]any)
	for _, one := range waiting {
		p := one.(map[string]any)
		i.ask(who, "POST", fmt.Sprintf("/api/nodkeep/proposals/%s/confirm", p["id"]), map[string]any{"digest": p["digest"]})
	}
}

// change changes a subscription by its name.
func (i *instance) change(who, name string, to map[string]any) {
	i.t.Helper()
	all, _ := i.tool(who, "household_subscription_list", map[string]any{"limit": 200})["items"].([]any)
	for _, one := range all {
		if s := one.(map[string]any); s["name"] == name {
			to["id"] = s["id"]
			i.tool(who, "household_subscription_update", to)
			return
		}
	}
	i.t.Fatalf("there is no %s", name)
}
