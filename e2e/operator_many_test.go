package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// TestOperatorMany: lists come 50 at a time, and the rest as one scrolls: accounts, who is granted
// what, figures; these by person and month, the oldest first, as a chart and as a table.
func TestOperatorMany(t *testing.T) {
	const people = 60
	i := models(t, "ASSISTANTS=house,far", "ASSISTANT_HOUSE_BASE_URL=http://127.0.0.1:9",
		"ASSISTANT_FAR_NAME=Far", "ASSISTANT_FAR_MODEL=mistral-large-latest", "ASSISTANT_FAR_BASE_URL=https://api.mistral.ai/v1", "ASSISTANT_FAR_KEY=none")
	token := i.token("ana")
	for n := range people {
		if status, a := i.try(token, "POST", "/api/nodkeep/operator/accounts", map[string]any{"handle": fmt.Sprintf("many%02d", n), "password": password}); status != http.StatusOK {
			t.Fatal(status, a)
		}
	}
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 5, 0, 0, 0, 0, time.UTC)
	days := []string{month.AddDate(0, -2, 0).Format(time.DateOnly), month.AddDate(0, -1, 0).Format(time.DateOnly)}
	i.used(days)
	i.each(t, func(i *instance, w *tab) {
		count := func(what, css string, first, all int) {
			t.Helper()
			w.until(fmt.Sprint(first, " ", what, " at first"), fmt.Sprintf(`document.querySelectorAll(%q).length === %d`, css, first))
			w.until(fmt.Sprint("all ", what, ", as one scrolls"), fmt.Sprintf(`(scrollTo(0, document.body.scrollHeight), document.querySelector(".people")?.scrollTo(0, 1e6), document.querySelectorAll(%q).length === %d)`, css, all))
		}
		w.visit("#/operator/accounts")
		count("accounts", ".op-row", 50, people+3)
		w.visit("#/operator/grants")
		count("people", ".people li b", 50, people+3)

		w.visit("#/operator/figures")
		count("figures", "table.used tbody tr", 50, 2*people)
		w.until("a chart", `document.querySelector("figure.chart canvas, figure canvas")`)
		w.until("the oldest first", `import("/lib/i18n.js").then((m) => {
			const all = [...document.querySelectorAll("table.used tbody th")].map((e) => e.textContent), named = (day) => m.day(day, { month: "short", year: "numeric" })
			return all[0] === named(`+quote(days[0])+`) && all.at(-1) === named(`+quote(days[1])+`)
		})`)
		w.see("many00", "many59")
		w.plain()
		w.keep("figures")

		w.visit("#/operator/assistants") // by whose they are, each with a colour of its own and no logo
		w.until("two providers, this machine first", `[...document.querySelectorAll(".provider h2")].map((e) => e.textContent).join().startsWith("This machine,Mistral")`)
		w.until("a colour for each", `(([a, b]) => a !== b && ![a, b].includes("rgba(0, 0, 0, 0)"))([...document.querySelectorAll(".provider .dot")].map((e) => getComputedStyle(e).backgroundColor))`)
		if eval[bool](w, `!!document.querySelector("main img")`) {
			t.Error("there is a logo")
		}
	})
}

// used writes what many people used on some days, past the server.
func (i *instance) used(days []string) {
	i.t.Helper()
	db, err := core.DefaultDBConnect(filepath.Join(i.dir, "data.db"))
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, day := range days {
		_, err := db.NewQuery(`INSERT INTO nodkeep_usage (person, day, assistant, currency, requests, unpriced, input_uncached, cache_read, cache_write, output, cost)
			SELECT id, {:day}, 'house', 'USD', 2, 0, 10, 0, 0, 5, 1200 FROM users WHERE handle LIKE 'many%'`).Bind(dbx.Params{"day": day}).Execute()
		if err != nil {
			i.t.Fatal(err)
		}
	}
}

// TestOperatorErrors: health says of each assistant how often it did not answer, and when last; a
// chain of the audit that somebody changed is said to be broken.
func TestOperatorErrors(t *testing.T) {
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
	}))
	t.Cleanup(broken.Close)
	i := models(t, "ASSISTANTS=house", "ASSISTANT_HOUSE_BASE_URL="+broken.URL+"/v1")
	i.ask("ana", "POST", "/api/nodkeep/operator/grants", map[string]any{"assistant": "house", "allow": true, "everybody": true})
	i.ask("ana", "POST", "/api/nodkeep/me/consents", map[string]any{"assistant": "house"})
	for n := range 2 {
		w := i.signIn("ana", desktop)
		w.visit("#/ask")
		w.asks(fmt.Sprintf("Hello %d", n))
		w.until("why not", `document.querySelector(".turn:last-child .note.warn")`)
		w.close()
	}
	i.tamper()
	i.each(t, func(i *instance, w *tab) {
		w.visit("#/operator/health")
		w.see("house", "2 failed", "audit")
		w.plain()
		w.keep("health")
		w.visit("#/activity")
		w.press("Check the entries")
		w.until("that it is broken", `document.querySelector("dialog[open] [role=alert]")`)
		w.see("nodkeep audit verify")
		w.accessible()
		w.keep("chain")
	})
}

// tamper changes an entry of the audit, past the server.
func (i *instance) tamper() {
	i.t.Helper()
	db, err := core.DefaultDBConnect(filepath.Join(i.dir, "data.db"))
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	res, err := db.NewQuery(`UPDATE nodkeep_audit SET reason = 'another' WHERE id = (SELECT id FROM nodkeep_audit ORDER BY seq LIMIT 1)`).Execute()
	if err != nil {
		i.t.Fatal(err)
	}
	if n, _ := res.RowsAffected(); n != 1 {
		i.t.Fatal("there is no entry")
	}
}
