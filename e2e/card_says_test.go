package e2e

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// taint has an agent have read what others wrote, past the server: of the tools that there
// are none reads such text yet.
func (i *instance) taint(a *agent, source string) {
	i.t.Helper()
	db, err := core.DefaultDBConnect(filepath.Join(i.dir, "data.db"))
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	until := time.Now().Add(time.Hour).UTC().Format("2006-01-02 15:04:05.000Z")
	if _, err := db.NewQuery("UPDATE nodkeep_tokens SET tainted = {:until}, taint = {:taint} WHERE id = {:id}").
		Bind(dbx.Params{"id": a.id, "until": until, "taint": `[{"k":"","a":[{"v":` + quote(source) + `}]}]`}).Execute(); err != nil {
		i.t.Fatal(err)
	}
}

// TestCardSays: on each card stand who asks through what, what it costs or saves, and what the agent
// had read before; and Confirm has the focus only of what is neither grave nor about money.
func TestCardSays(t *testing.T) {
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		claude := i.agent("ana", "Claude "+t.Name(), "ask")
		w := i.signIn("ana", l)
		w.allow("Failed to load resource")
		has := `document.activeElement.matches(".yes")`
		look := func(tool string, args map[string]any) {
			t.Helper()
			w.visit("#/more")
			w.until("another page", `!document.querySelector("article.card")`)
			w.visit("#/inbox/" + claude.asks(tool, args))
			w.until("the card", `document.querySelector("article.card .yes:enabled")`)
			w.see("Claude "+t.Name(), "over MCP", "asks before every change")
			w.until("no word of what stands there already", `!document.querySelector(".news .new")`)
		}

		look("household_category_add", map[string]any{"name": "Harmless " + t.Name()})
		w.until("Confirm with the focus, of what is harmless", has)
		w.miss("Money is involved.")
		w.miss("the agent read text")

		look("household_subscription_add", subscription("Costs "+t.Name()))
		w.see("Money is involved.", "9.90 EUR")
		if eval[bool](w, has) {
			t.Error("Confirm has the focus of what costs money")
		}
		look("household_subscription_cancel", map[string]any{"id": i.subscription("ana", "Netflix")})
		w.see("saves")
		if eval[bool](w, has) {
			t.Error("Confirm has the focus of what ends something")
		}

		i.taint(claude, "a note of <b>ben</b>")
		look("household_category_add", map[string]any{"name": "After it " + t.Name()})
		w.see("Before it asked, the agent read text that others wrote", "a note of <b>ben</b>")
		w.accessible()
		w.keep("taint")
		w.visit("#/inbox") // folded, too
		w.until("the taint on the card of the list", `[...document.querySelectorAll("article.card.compact")].some((e) => e.innerText.includes("After it") && e.innerText.includes("a note of <b>ben</b>"))`)

		// What a person does alone with money and with what is lost: the same.
		w.run(`void import("/parts/act.js").then((m) => m.act({ tool: "household_subscription_delete", args: { id: ` + quote(i.subscription("ana", "Spotify")) + ` } }))`)
		w.until("its card", `document.querySelector("dialog[open] button.main:enabled")`)
		if eval[bool](w, `document.activeElement.matches("button.main")`) {
			t.Error("Confirm has the focus of what deletes")
		}
		w.press("Back")
	})
}

// TestCardSession: the session ends while a card is confirmed. One signs in over it, and it is done once.
func TestCardSession(t *testing.T) {
	each(t, demo(t, "de"), func(t *testing.T, i *instance, l look) {
		claude := i.agent("ana", "Claude "+t.Name(), "ask")
		w := i.signIn("ana", l)
		w.allow("Failed to load resource", "api/realtime")
		name := "Sitzung " + t.Name()
		id := claude.asks("household_subscription_add", subscription(name))
		w.visit("#/inbox/" + id)
		w.until("the button", `document.querySelector(".yes:enabled")`)
		i.ask("ana", "POST", "/api/nodkeep/me/password", map[string]string{"password": password, "new": password}) // no session from before is one any more
		w.run(`document.querySelector(".yes").click()`)                                                            // whether the page knows that by now or not
		w.see("Noch einmal anmelden")
		if got := i.state("ana", id); got != "pending" {
			t.Errorf("it is %s before anybody is signed in", got)
		}
		w.accessible()
		w.signs("ana", password)
		w.see("Erledigt", "Bestätigt im Web")
		if n := i.named(name); n != 1 {
			t.Errorf("it was done %d times", n)
		}

		// So does what is typed into a question, and into a reason.
		w.visit("#/inbox/" + claude.asks("household_category_add", map[string]any{"name": name}))
		w.press("Nein, verwerfen")
		w.fill("Warum nicht?", "nicht so")
		i.ask("ana", "POST", "/api/nodkeep/me/password", map[string]string{"password": password, "new": password})
		w.run(`document.querySelector(".refusal form, form.refusal")?.requestSubmit()`)
		w.see("Noch einmal anmelden")
		w.signs("ana", password)
		w.see("Verworfen", "nicht so")
	})
}

// TestNodStale: what a person is about to do themselves is another by now: that is said, what is
// different is shown, and a press that was meant for what stood there before does nothing.
func TestNodStale(t *testing.T) {
	each(t, demo(t, "es"), func(t *testing.T, i *instance, l look) {
		netflix := i.subscription("ana", "Netflix")
		w := i.signIn("ana", l)
		w.allow("Failed to load resource")
		w.visit("#/subscriptions/" + netflix)
		w.run(`void import("/parts/act.js").then((m) => m.act({ tool: "household_subscription_delete", args: { id: ` + quote(netflix) + ` } }))`)
		w.until("its card", `document.querySelector("dialog[open] button.main:enabled")`)
		i.tool("ben", "household_subscription_update", map[string]any{"id": netflix, "notes": "de ben " + t.Name()})
		w.run(`(document.querySelector("dialog[open] button.main").click(), document.querySelector("dialog[open] button.main").click())`)
		w.see("ha cambiado", "Lo que es distinto ahora", "de ben")
		w.run(`document.querySelector("dialog[open] button.main").click()`)
		w.until("the focus on what is said", `document.activeElement.matches("dialog[open] .note")`)
		w.accessible()
		w.keep("stale")
		if n := i.named("Netflix"); n != 1 {
			t.Fatal("it was deleted unseen")
		}
		w.press("Sí, hazlo")
		w.until("it is done", `!document.querySelector("dialog[open]")`)
		if n := i.named("Netflix"); n != 0 {
			t.Error("it is still there")
		}
		w.press("Deshacer")
		w.nods(w.press, "Sí, hazlo", "Deshecho")
		if n := i.named("Netflix"); n != 1 {
			t.Error("it is not back")
		}
	})
}

// TestCardLeftward: a name that is written to the left stands where the sentence has it, and takes no
// amount along that stands after it.
func TestCardLeftward(t *testing.T) {
	i := demo(t, "en")
	claude := i.agent("ana", "Claude", "ask")
	w := i.signIn("ana", desktop)
	w.visit("#/inbox/" + claude.asks("household_subscription_add", subscription("العربية اشتراك")))
	w.see("9.90 EUR")
	w.until("the sentence in its order", `(() => {
	const title = document.querySelector("article .title"), name = new Range(), node = document.createTreeWalker(title, NodeFilter.SHOW_TEXT)
	while (node.nextNode()) {
		const at = node.currentNode.data.indexOf("العربية")
		if (at >= 0) name.setStart(node.currentNode, at), name.setEnd(node.currentNode, at + 14)
	}
	const [n, amount] = [name, title.querySelector(".amount")].map((e) => e.getBoundingClientRect())
	return n.width > 0 && n.right <= amount.left && amount.top < n.bottom
})()`)
	w.accessible()
	w.keep("card")
}
