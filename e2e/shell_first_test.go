package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestShellFirst: an instance without anybody says what to do, and goes on by itself once the
// first operator is there; at the end they delete their account, and nothing of it stays.
func TestShellFirst(t *testing.T) {
	for name, l := range map[string]look{"desktop": desktop, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			i := &instance{t: t, base: "http://" + free(t), dir: filepath.Join(t.TempDir(), "pb_data"), empty: true}
			i.start("serve", "--dir", i.dir, "--http", strings.TrimPrefix(i.base, "http://"))
			l.language = "de"
			w := open(t, i.base, l)
			w.allow("Failed to load resource")
			w.visit("/")
			w.see("Das erste Konto anlegen", "nodkeep account add NAME --operator")
			w.accessible()
			w.keep("first")

			first := open(t, i.base, l)
			first.visit(link(t, i.said()))
			first.until("the form", `document.querySelector("input[name=handle]")`)
			first.accessible()
			first.run(`(document.getElementById("handle").value = "ana", document.getElementById("password").value = ` + quote(password) + `, document.querySelector("button.main").click())`)
			first.see("ana")
			first.keep("joined")
			w.signs("ana", password) // the page noticed
			w.until("the shell", `document.querySelector("nav.nav")`)

			i.command("account", "add", "ben", "--password", password, "--operator")
			w.visit("#/inbox")
			w.see("Noch wurde nichts entschieden")
			w.visit("#/settings")
			w.until("the settings", `document.querySelectorAll("main .panel").length > 4`)
			w.accessible()
			w.keep("settings")
			w.press("Konto löschen")
			w.until("the form", `document.querySelector("main details[open] button.grave")`)
			proof := func(given string) {
				t.Helper()
				w.run(`e2e.put(document.querySelector("main details[open] input[type=password]"), ` + quote(given) + `)`)
				w.run(`document.querySelector("main details[open] button.grave").click()`)
			}
			proof("not this one")
			w.until("that it is wrong", `document.querySelector("main [role=alert]")`)
			proof(password)
			w.see("Ja, so machen")
			w.accessible()
			w.keep("delete")
			w.press("Ja, so machen")
			w.see("Das Konto ist gelöscht")
			if left := eval[string](w, `caches.keys().then((k) => k.filter((n) => n.startsWith("lists-")).join() + Object.keys(localStorage).filter((n) => n === "nodkeep_auth").join())`); left != "" {
				t.Errorf("kept on the device: %s", left)
			}
			w.signs("ana", password)
			w.until("that nobody is called so", `document.querySelector("[role=alert]")`)
		})
	}
}
