package e2e

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// expire lets a proposal end soon, past the server, which has no such short ones.
func (i *instance) expire(id string, in time.Duration) {
	i.t.Helper()
	db, err := core.DefaultDBConnect(filepath.Join(i.dir, "data.db"))
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	res, err := db.NewQuery("UPDATE nodkeep_proposals SET expires = {:at} WHERE id = {:id}").Bind(dbx.Params{"id": id, "at": time.Now().Add(in).UTC().Format("2006-01-02 15:04:05.000Z")}).Execute()
	if err != nil {
		i.t.Fatal(err)
	}
	if n, _ := res.RowsAffected(); n != 1 {
		i.t.Fatal("no such proposal in ", i.dir)
	}
}

func subscription(name string) map[string]any {
	return map[string]any{"name": name, "amount": "9.90", "currency": "EUR", "cycle": "P1M", "first_date": time.Now().Format(time.DateOnly)}
}

// TestCardTicks: what the ticked ones alone would do is shown, and just that is done.
func TestCardTicks(t *testing.T) {
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		w := i.signIn("ana", l)
		id := i.threeItems("ana")
		w.visit("#/inbox/" + id)
		w.see("What is ticked happens", "3 changes")
		w.accessible()
		w.keep("three")
		w.run(`new MutationObserver(() => {
			if (!document.querySelector(".said .note")?.textContent.includes("Looking what these do …")) return
			window.unseen = document.querySelector(".yes").disabled ? window.unseen || "off" : "on"
		}).observe(document.querySelector("article.card"), {subtree: true, childList: true, characterData: true, attributes: true})`)
		w.click("the tick of Spotify", `[...document.querySelectorAll("label.tick")].find((e) => e.textContent.includes("Spotify"))`)
		w.see("This is what the ticked ones alone would do", "Yes, do these 2")
		if got := eval[string](w, `window.unseen || ""`); got != "off" {
			t.Errorf("until it is shown what the ticked ones do, Confirm is %q", got)
		}
		w.keep("two")
		w.press("Yes, do these 2")
		w.see("Done", "left out")
		w.accessible()
		w.keep("done")
		under := func(want map[string]bool) {
			t.Helper()
			for name, in := range want {
				out := fmt.Sprint(i.tool("ana", "household_subscription_get", map[string]any{"id": i.subscription("ana", name)}))
				if strings.Contains(out, "Streaming") != in {
					t.Errorf("%s: %s", name, out)
				}
			}
		}
		under(map[string]bool{"Netflix": true, "Spotify": false, "Audiobooks": true})
		w.press("Undo")
		w.see("Taken back")
		under(map[string]bool{"Netflix": false, "Spotify": false, "Audiobooks": false})
	})
}

// threeItems lets the scripted assistant ask for three things at once.
func (i *instance) threeItems(who string) string {
	i.t.Helper()
	req, err := http.NewRequest("POST", i.base+"/api/nodkeep/ask", strings.NewReader(fmt.Sprintf(`{"client_id":"c%d","text":"Put Netflix, Spotify and Audiobooks under Streaming"}`, time.Now().UnixNano())))
	if err != nil {
		i.t.Fatal(err)
	}
	req.Header.Set("Authorization", i.token(who))
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	said, _ := io.ReadAll(resp.Body) // to the end of the turn
	_ = resp.Body.Close()
	if resp.StatusCode != 200 || !strings.Contains(string(said), "proposal") {
		i.t.Fatalf("%d %s", resp.StatusCode, said)
	}
	var id string
	eventually(i.t, "the assistant to ask", func() bool {
		items, _ := i.ask(who, "GET", "/api/nodkeep/proposals?state=pending", nil)["items"].([]any)
		if len(items) == 0 {
			return false
		}
		id = items[0].(map[string]any)["id"].(string)
		return true
	})
	return id
}

// TestCardEdit: other words for what was asked for, and nothing typed is lost when they do not do.
func TestCardEdit(t *testing.T) {
	each(t, demo(t, "es"), func(t *testing.T, i *instance, l look) {
		claude := i.agent("ana", "Claude", "ask")
		w := i.signIn("ana", l)
		w.allow("Failed to load resource")
		first := claude.asks("household_subscription_add", subscription("Revista "+t.Name()))
		w.visit("#/inbox/" + first)
		w.press("Modificar")
		w.see("en sus propios términos")
		w.accessible()
		w.keep("form")
		w.fill("Importe", "mucho")
		w.press("Mostrar qué pasaría")
		w.until("the fault", `document.querySelector(".amend [role=alert]")`)
		if got := eval[string](w, `e2e.field("Importe").value`); got != "mucho" {
			t.Errorf("what was typed is %q", got)
		}
		w.fill("Importe", "4.50")
		w.press("Mostrar qué pasaría")
		w.see("Lo que es distinto ahora", "4,50")
		w.keep("edited")
		if got := i.state("ana", first); got != "replaced" {
			t.Errorf("the first is %s", got)
		}
		if got := claude.hears(first)["replaced_by"]; got == "" || got == nil {
			t.Error("the agent does not hear which stands for it")
		}
		w.press("Sí")
		w.see("Hecho")
		out := fmt.Sprint(i.tool("ana", "household_subscription_get", map[string]any{"id": i.subscription("ana", "Revista "+t.Name())}))
		if !strings.Contains(out, "4.50") {
			t.Error(out)
		}
	})
}

// TestCardStale: what is different now is said, a second press that was meant for
// what stood there before does nothing, and what was shown is done.
func TestCardStale(t *testing.T) {
	i := demo(t, "en")
	claude := i.agent("ana", "Claude", "ask")
	netflix := i.subscription("ana", "Netflix")
	w := i.signIn("ana", desktop)
	w.allow("Failed to load resource")
	id := claude.asks("household_subscription_update", map[string]any{"id": netflix, "name": "Netflix Premium"})
	w.visit("#/inbox/" + id)
	w.see("Netflix Premium", "Waits until")
	i.tool("ana", "household_subscription_update", map[string]any{"id": netflix, "name": "Netflix Basic"})
	w.until("the button", `document.querySelector(".yes:enabled")`)
	w.run(`new MutationObserver((_, o) => document.querySelector(".said .note") && (o.disconnect(), document.querySelector(".yes").click(), window.late = true)).observe(document.body, {subtree: true, childList: true})`) // the double click that comes late
	w.run(`(document.querySelector(".yes").click(), document.querySelector(".yes").click())`)
	w.see("Something has changed meanwhile, and nothing was done.", "What is different now", "Netflix → Netflix Premium", "Netflix Basic → Netflix Premium")
	w.until("the late click", `window.late`)
	w.until("the focus on what is said", `document.activeElement.matches(".said .note")`)
	w.accessible()
	w.keep("stale")
	if out := fmt.Sprint(i.tool("ana", "household_subscription_get", map[string]any{"id": netflix})); !strings.Contains(out, "Netflix Basic") {
		t.Error("it was done unseen: ", out)
	}
	w.press("Yes, do this")
	w.see("Done")
	if out := fmt.Sprint(i.tool("ana", "household_subscription_get", map[string]any{"id": netflix})); !strings.Contains(out, "Netflix Premium") {
		t.Error(out)
	}
}

// TestCardTwoTabs: two windows decide at once. One does, and the other says what became of it.
func TestCardTwoTabs(t *testing.T) {
	i := demo(t, "de")
	claude := i.agent("ana", "Claude", "ask")
	one, two := i.signIn("ana", desktop), i.signIn("ana", phone)
	one.allow("Failed to load resource")
	two.allow("Failed to load resource")
	id := claude.asks("household_subscription_add", subscription("Zeitung"))
	for _, w := range []*tab{one, two} {
		w.visit("#/inbox/" + id)
		w.until("the button", `document.querySelector(".yes:enabled")`)
	}
	done := make(chan error, 2)
	for _, w := range []*tab{one, two} {
		go func() {
			_, err := tryEval[bool](w, `(document.querySelector(".yes").click(), document.querySelector(".yes")?.click(), true)`)
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	one.see("Erledigt", "Bestätigt im Web")
	two.see("Erledigt", "Bestätigt im Web")
	items, _ := i.tool("ana", "household_subscription_list", map[string]any{})["items"].([]any)
	if n := strings.Count(fmt.Sprint(items), "Zeitung"); n != 1 {
		t.Errorf("it was done %d times", n)
	}
	// One says no in its list, and the other's card turns into that.
	id = claude.asks("household_category_add", map[string]any{"name": "Filme"})
	for _, w := range []*tab{one, two} {
		w.visit("#/inbox")
		w.see("Filme", "Ja, so machen")
	}
	i.ask("ana", "POST", "/api/nodkeep/proposals/"+id+"/discard", map[string]string{"reason": "nein"})
	for _, w := range []*tab{one, two} {
		w.see("anderswo entschieden", "Verworfen")
	}
	two.keep("elsewhere")
}

// TestCardOffline: confirming without a network, and an answer that got lost. It happens
// once at most, and what happened is said.
func TestCardOffline(t *testing.T) {
	i := demo(t, "en")
	claude := i.agent("ana", "Claude", "ask")
	w := i.signIn("ana", phone)
	w.allow("Failed to load resource", "ERR_INTERNET_DISCONNECTED")
	id := claude.asks("household_subscription_add", subscription("Magazine"))
	w.visit("#/inbox/" + id)
	w.until("the button", `document.querySelector(".yes:enabled")`)
	w.offline(true)
	w.press("Yes, do this")
	w.see("The answer of the server got lost")
	w.keep("unsure")
	w.offline(false)
	w.see("It was not done")
	if got := i.state("ana", id); got != "pending" {
		t.Fatalf("it is %s", got)
	}
	// Now the server does it, and its answer does not come.
	w.run(`(window.whole = window.fetch, window.fetch = async (u, o) => {
		if (!String(u).includes("/confirm")) return window.whole(u, o)
		await window.whole(u, o)
		throw new TypeError("Failed to fetch")
	})`)
	w.press("Yes, do this")
	w.see("The answer had got lost, but it was done: once.", "Done")
	w.keep("after")
	items, _ := i.tool("ana", "household_subscription_list", map[string]any{})["items"].([]any)
	if n := strings.Count(fmt.Sprint(items), "Magazine"); n != 1 {
		t.Errorf("it was done %d times", n)
	}
}

// TestCardExpires under the finger, on a device whose clock is wrong by a day.
func TestCardExpires(t *testing.T) {
	i := demo(t, "es")
	claude := i.agent("ana", "Claude", "ask")
	w := i.signIn("ana", phone)
	id := claude.asks("household_subscription_add", subscription("Revista"))
	w.late(24)
	w.visit("/?again#/inbox/" + id)
	w.see("Espera hasta", "Sí")
	if eval[bool](w, `!!document.querySelector(".outcome")`) {
		t.Error("the clock of the device ended it")
	}
	i.expire(id, time.Duration(slower)*15*time.Second) // time enough to see that the end comes near
	w.visit("/?soon#/inbox/" + id)
	w.see("Termina pronto")
	w.see("Se acabó el tiempo mientras estaba abierto aquí.", "Caducado", "Hacerlo yo")
	w.accessible()
	w.keep("expired")
	w.press("Hacerlo yo")
	w.see("Revista")
	w.press("Sí")
	w.until("the sheet is gone", `!document.querySelector("dialog[open]")`)
	i.subscription("ana", "Revista")
}

// TestNodClosed: putting a card away while it is being done takes nothing back, and what was done is said.
func TestNodClosed(t *testing.T) {
	i := demo(t, "en")
	id := i.subscribed("ana", map[string]any{"name": "Magazine"})
	w := i.signIn("ana", phone)
	w.visit("#/subscriptions/" + id)
	w.run(`(() => { const whole = window.fetch; window.fetch = async (u, o) => {
		const answer = await whole(u, o)
		if (o?.headers?.["X-Nodkeep-Digest"]) await new Promise((go) => (window.answered = go))
		return answer
	} })()`)
	w.tap("Cancel subscription")
	w.tap("Continue")
	w.tap("Yes, do this")
	w.until("the answer on its way", `window.answered`)
	w.key(kb.Escape)
	w.until("no card, but the form below it", `document.querySelectorAll("dialog[open]").length === 1`)
	w.run(`window.answered()`)
	w.until("what was done, and the way back", `document.querySelector(".toast") && e2e.press("Undo")`)
}

// TestPressedTwice: a second press while the first is under way is the same act.
func TestPressedTwice(t *testing.T) {
	i := demo(t, "en")
	id := i.subscribed("ana", map[string]any{"name": "Magazine"})
	confirmed := func() int {
		return len(i.ask("ana", "GET", "/api/nodkeep/audit?tool=household_charge_confirm", nil)["items"].([]any))
	}
	before := confirmed()
	w := i.signIn("ana", phone)
	w.visit("#/subscriptions/" + id)
	w.until("the charge", `e2e.press("Confirm: 12 Sept 2026")`)
	w.run(`(() => { const b = e2e.press("Confirm: 12 Sept 2026"); b.click(); b.click() })()`)
	w.see("paid")
	w.until("one word of it, and no complaint", `document.querySelectorAll(".toast").length === 1 && !document.querySelector(".toast.bad")`)
	if n := confirmed(); n != before+1 {
		t.Errorf("it was confirmed %d times", n-before)
	}
}
