package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// signs fills in the form to sign in that is on top.
func (w *tab) signs(who, pass string) {
	w.t.Helper()
	w.until("the form to sign in", `e2e.top() !== document === !!document.querySelector("dialog") && e2e.top().querySelector("input[name=identity]")`)
	w.run(`(e2e.put(e2e.top().querySelector("input[name=identity]"), ` + quote(who) + `), e2e.put(e2e.top().querySelector("input[name=password]"), ` + quote(pass) + `), e2e.top().querySelector("input[name=identity]").form.requestSubmit())`)
}

// endSession has the server end what the window is signed in with, as a new password does.
func (w *tab) endSession() {
	w.t.Helper()
	w.run(`localStorage.setItem("nodkeep_auth", JSON.stringify({...JSON.parse(localStorage.nodkeep_auth), token: JSON.parse(localStorage.nodkeep_auth).token.slice(0, -3) + "aaa"}))`)
}

func TestShellSession(t *testing.T) {
	i := serve(t)
	i.command("account", "add", "ben", "--password", password)
	i.command("account", "add", "cleo", "--password", password)
	each(t, i, func(t *testing.T, i *instance, l look) {
		w := open(i.t, i.base, l)
		w.allow("Failed to load resource")
		w.visit("/#/settings")
		w.see("Sign in")
		w.accessible()
		w.keep("signin")
		w.signs("ana", "wrong password")
		w.see("Handle, address or password is wrong.")
		w.accessible()
		w.signs("ana", password)
		w.until("the page that was asked for", `document.querySelector("h1")?.textContent === "Settings"`)

		// The session ends while something is typed: it goes on where it stopped.
		w.fill("Name", "Ana María 🎈")
		w.endSession()
		w.press("Save")
		w.see("Sign in again", "Nothing is lost")
		w.accessible()
		w.keep("again")
		w.signs("ben", password)
		w.see("That is somebody else")
		w.press("Sign in as ana")
		w.signs("ana", password)
		w.see("Saved")
		if name := i.ask("ana", "GET", "/api/nodkeep/me", nil)["name"]; name != "Ana María 🎈" {
			t.Errorf("the name is %v", name)
		}
		i.ask("ana", "POST", "/api/nodkeep/me", map[string]string{"name": ""})

		// Somebody else begins anew, and finds nothing of the one before.
		w.endSession()
		w.visit("#/tool/nodkeep_more_own")
		w.signs("ben", password)
		w.press("Begin anew as ben")
		w.until("ben", `document.querySelector("nav.nav") && JSON.parse(localStorage.nodkeep_auth).record.handle === "ben"`)
		if caches := eval[string](w, `caches.keys().then((k) => k.join())`); strings.Contains(caches, eval[string](w, `"lists-"`)) && strings.Count(caches, "lists-") > 1 {
			t.Errorf("lists of two people are kept: %s", caches)
		}
	})
	t.Run("another tab", func(t *testing.T) {
		i := i.on(t)
		w := i.signIn("ben", desktop)
		w.allow("api/realtime") // the connection of who is out is refused
		// What another tab does to the session comes as an event.
		gone := `localStorage.removeItem("nodkeep_auth"); dispatchEvent(new StorageEvent("storage", {key: "nodkeep_auth"}))`
		w.run("(() => {" + gone + "})()")
		w.see("Handle or e-mail")
		auth := i.auth("cleo")
		w.run(`(() => { localStorage.setItem("nodkeep_auth", ` + quote(auth) + `); dispatchEvent(new StorageEvent("storage", {key: "nodkeep_auth"})) })()`)
		w.until("the shell", `document.querySelector("nav.nav")`)
	})
	t.Run("suspended", func(t *testing.T) {
		i := i.on(t)
		w := i.signIn("cleo", phone)
		w.allow("Failed to load resource")
		w.visit("#/tools")
		w.see("Everything that can be done")
		id := eval[string](w, "JSON.parse(localStorage.nodkeep_auth).record.id")
		i.confirm("ana", "/api/nodkeep/tools/nodkeep_account_suspend", map[string]any{"account": id})
		w.see("The session of cleo has ended")
		w.signs("cleo", password)
		w.see("This account is suspended")
		w.until("nothing that is kept", `caches.keys().then((k) => k)`)
		if left := eval[string](w, `caches.keys().then((k) => k.filter((n) => n.startsWith("lists-")).join())`); left != "" {
			t.Errorf("kept on the device: %s", left)
		}
		w.accessible()
		w.signs("cleo", password)
		w.see("This account is suspended")
	})
	for name, hours := range map[string]int{"clock a day late": -24, "clock a day early": 24} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			w := open(t, i.base, phone)
			w.late(hours)
			w.visit("/")
			w.signs("ana", password)
			w.until("the shell", `document.querySelector("nav.nav")`)
			w.until("the server's time", fmt.Sprintf(`import("./lib/clock.js").then((c) => Math.abs(c.now() - Date.now() + %d) < 60000)`, hours*3600000))
			w.visit("/#/settings")
			w.until("still in", `document.querySelector("h1")?.textContent === "Settings"`)
			w.visit("/#/tool/household_category_add") // and what is done counts by the server's time
			w.fill("Name", name)
			w.press("Do it")
			w.see("Undo")
			w.press("Undo")
			w.press("Yes, do this")
			w.see("Taken back")
		})
	}
}
