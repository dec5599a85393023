package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
)

// host serves a host of models as people run them, which answers whatever it is asked.
// Turns that are given come first.
func host(t *testing.T, first ...fake.Turn) string {
	t.Helper()
	h := fake.New(t, fake.Local, append(first,
		fake.Turn{Times: -1, When: func(a fake.Asked) bool { return strings.Contains(string(a.Raw), "nodkeep_test") }, Steps: []fake.Step{fake.Calls(fake.Call{Name: "nodkeep_test", Args: `{"word":"nod"}`})}},
		fake.Turn{Times: -1, Steps: []fake.Step{fake.Say("one, two, three").In(3)}})...)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		r.Host = "127.0.0.1:11434" // where such a host mostly is
		h.ServeHTTP(out, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// models serves an instance with ben and carla, and an assistant of env, which is called house.
func models(t *testing.T, env ...string) *instance {
	t.Helper()
	i := serve(t, append([]string{"ASSISTANT_HOUSE_NAME=House", "ASSISTANT_HOUSE_MODEL=qwen4:8b", "ASSISTANT_HOUSE_PRICE_INPUT=0.15", "ASSISTANT_HOUSE_PRICE_OUTPUT=0.6"}, env...)...)
	for _, name := range []string{"ben", "carla"} {
		i.ask("ana", "POST", "/api/nodkeep/operator/accounts", map[string]any{"handle": name, "password": password})
	}
	return i
}

// TestAssistants sets one up, tries it, opens it to people with a budget, answers who asks for
// more, and sees what was used.
func TestAssistants(t *testing.T) {
	address := host(t)
	i := models(t, "ASSISTANTS=house", "ASSISTANT_HOUSE_BASE_URL="+address)
	for name, l := range map[string]look{"desktop": {width: 1280, height: 900, language: "en"}, "phone": {width: 375, height: 740, dark: true, language: "en"}} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			const secret = "sk-never-shown-again"
			w := i.signIn("ana", l)
			w.visit("#/operator/assistants")
			w.see("This machine", "House", "Set by the environment", "$0.15 in", "What could be connected")
			w.press("Change: House")
			w.see("ASSISTANT_HOUSE_BASE_URL")
			w.until("the environment's fields closed, and the others open", `e2e.field("Address")?.disabled && !e2e.field("Mode").disabled`)
			w.accessible()
			w.press("Cancel")

			w.press("Add an assistant")
			w.fill("Short name", "desk-"+name)
			w.fill("Name", "Desk <i>"+strings.Repeat("long", 10))
			w.fill("Address", address)
			w.fill("Model", "qwen4:8b")
			w.fill("Key", secret)
			w.keep("form")
			w.press("Save")
			w.see("desk-"+name, "A key is there")
			if eval[bool](w, "document.documentElement.outerHTML.includes("+quote(secret)+")") {
				t.Error("the key is on the page")
			}
			w.accessible()
			w.keep("assistants")
			w.press("Test: House")
			w.see("How House answers", "It works", "Word by word")
			w.accessible()
			w.keep("trial")
			w.press("Close")

			// Somebody else changes it meanwhile: that is said, and what was typed stays.
			w.press("Change: Desk")
			w.fill("Model", "qwen4:14b")
			i.ask("ana", "POST", "/api/nodkeep/operator/assistants", map[string]any{"id": "desk-" + name, "mode": "read"})
			w.allow("Failed to load resource")
			w.press("Save")
			w.until("what is in the way", `(() => { const r = e2e.top().querySelector("[role=alert]")?.getBoundingClientRect(); return r && r.top > 0 && r.top < innerHeight - 40 })()`)
			w.until("the other change", `e2e.field("Mode").value === "read" && e2e.field("Model").value === "qwen4:14b"`)
			w.keep("conflict")
			w.press("Save")
			w.see("qwen4:14b", "reads")

			w.visit("#/operator/grants")
			w.see("ben", "carla", "Budget of everybody")
			w.press("ben")
			w.see("1 person")
			w.press("carla")
			w.see("2 people")
			w.accessible()
			w.keep("people")
			w.press("Open an assistant")
			w.fill("Assistant", "desk-"+name)
			w.press("See what happens")
			w.see("Yes, do this")
			w.keep("grant")
			w.press("Yes, do this")
			w.until("the grant", fmt.Sprintf(`[...document.querySelectorAll(".people li")].filter((e) => e.innerText.includes("desk-%s")).length === 2`, name))
			w.press("Set the budget")
			w.fill("Cost a day", "most")
			w.fill("Amount in USD", "0,0012")
			w.fill("Tokens a month", "none")
			w.accessible()
			w.keep("budget")
			w.press("See what happens")
			w.press("Yes, do this")
			w.see("Cost a day: $0.0012")

			i.ask("ben", "POST", "/api/nodkeep/me/more", map[string]any{"day_cost": "0.5", "note": "for \"school\" <script>"})
			w.visit("#/operator/requests")
			w.see("1 waits for an answer", "Cost a day: $0.50", `for "school" <script>`)
			w.accessible()
			w.press("Other amounts: ben")
			w.fill("Amount in USD", "0.25")
			w.press("Approve")
			w.see("Nobody asks for anything")
			budgets := i.ask("ana", "GET", "/api/nodkeep/operator/budgets?account=ben", nil)
			if got := fmt.Sprint(budgets["items"]); !strings.Contains(got, "day_cost:0.25") {
				t.Errorf("the budget is %s", got)
			}

			w.visit("#/operator/figures")
			w.see("ana", "house", "Requests")
			w.accessible()
			w.keep("figures")
			w.press("Export as CSV")
			w.fill("Account", "carla")
			w.see("Nothing was used in that time")

			w.visit("#/operator/grants")
			w.press("All 3 that stand here")
			w.press("Close one")
			w.fill("Assistant", "desk-"+name)
			w.press("See what happens")
			w.press("Yes, do this")
			w.until("the end of the grant", fmt.Sprintf(`![...document.querySelectorAll(".people li")].some((e) => e.innerText.includes("desk-%s"))`, name))
			w.visit("#/operator/assistants")
			w.press("Remove: Desk")
			w.see("Yes, do this")
			w.press("Yes, do this")
			w.miss("desk-" + name)
			i.ask("ana", "POST", "/api/nodkeep/operator/budgets", map[string]any{"accounts": []string{"ben"}, "day_cost": "0.1"})
		})
	}
}
