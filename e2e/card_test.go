package e2e

import (
	"testing"
	"time"
)

// TestCard: from what an agent asks for to what was done and taken back again.
func TestCard(t *testing.T) {
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		claude := i.agent("ana", "Claude", "ask")
		netflix := i.subscription("ana", "Netflix")
		w := i.signIn("ana", l)
		w.visit("#/inbox")
		w.see("Nothing waits.", "Connect an agent")
		w.accessible()
		w.keep("empty")
		w.visit("#/")
		id := claude.asks("household_subscription_cancel", map[string]any{"id": netflix})

		// It is told of wherever one is, and takes nothing away.
		w.see("Claude asks", "Cancel Netflix")
		if at := eval[string](w, "document.activeElement.tagName"); at == "BUTTON" {
			t.Error("the news took the focus: ", at)
		}
		w.until("the number in the navigation", `document.querySelector("nav.nav .badge")?.textContent.startsWith("1")`)
		w.accessible()
		w.keep("news")
		w.press("Look")
		w.see("over MCP", "asks before every change", "This deletes, cancels or suspends something.", "Money is involved.", "Last day", "Waits until")
		w.until("the buttons are ready", `!document.querySelector(".yes").disabled`)
		if eval[bool](w, `document.activeElement.matches(".yes")`) {
			t.Error("Confirm has the focus of what ends something")
		}
		w.accessible()
		w.keep("card")
		w.press("Yes, do this")
		w.see("Done", "Confirmed on the web")
		if got := i.status("ana", netflix); got != "cancelled" {
			t.Errorf("it is %s", got)
		}
		if got := claude.hears(id)["state"]; got != "applied" {
			t.Errorf("the agent hears %v", got)
		}
		w.keep("done")
		w.press("Undo")
		w.see("Taken back")
		eventually(t, "the subscription to be active again", func() bool { return i.status("ana", netflix) == "active" })
		w.keep("undone")
		w.press("Close")
		w.visit("#/inbox/" + id)
		w.see("Taken back", "Cancel Netflix")
		w.accessible()
		w.visit("/nod/" + id) // where links of agents lead, and from there to here
		w.run(`setTimeout(() => [...document.links].find((a) => a.textContent.startsWith("Signed in to Nodkeep on this device already?")).click())`)
		w.see("Taken back", "Cancel Netflix")
	})
}

// TestCardDiscard: a no with its reason, which the agent reads; Enter in it confirms nothing.
func TestCardDiscard(t *testing.T) {
	each(t, demo(t, "de"), func(t *testing.T, i *instance, l look) {
		claude := i.agent("ana", "Claude", "ask")
		w := i.signIn("ana", l)
		id := claude.asks("household_subscription_add", map[string]any{"name": "Zeitung", "amount": "9.90", "currency": "EUR", "cycle": "P1M", "first_date": time.Now().Format(time.DateOnly)})
		w.visit("#/inbox")
		w.see("Claude", "Zeitung")
		w.press("Nein, verwerfen")
		w.see("Der Agent")
		w.accessible()
		w.keep("reason")
		w.fill("Warum nicht?", "zu teuer")
		w.run(`document.querySelector(".refusal input").focus()`)
		w.key("\r")
		w.see("Verworfen", "zu teuer")
		if got := i.state("ana", id); got != "discarded" {
			t.Fatalf("it is %s", got)
		}
		if got := claude.hears(id)["reason"]; got != "zu teuer" {
			t.Errorf("the agent reads %v", got)
		}
		w.keep("discarded")
		// All of it at once.
		for _, name := range []string{"Eins", "Zwei", "Drei"} {
			claude.asks("household_category_add", map[string]any{"name": name + t.Name()[len(t.Name())-3:]})
		}
		w.see("3 neue zeigen")
		w.press("3 neue zeigen")
		w.see("Drei")
		w.press("Alle 3 verwerfen")
		w.see("Nichts davon geschieht")
		w.accessible()
		w.press("Alle verwerfen")
		w.see("3 verworfen")
		w.until("all three turned into what became of them", `document.querySelectorAll("article.decided").length === 4`)
		w.see("Entschieden")
		w.accessible()
		w.keep("all")
	})
}
