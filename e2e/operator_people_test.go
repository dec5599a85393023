package e2e

import (
	"slices"
	"strings"
	"testing"
)

// onBoth runs a test on a desk and on a phone, each with its own instance in a language.
func onBoth(t *testing.T, do func(t *testing.T, l look)) {
	t.Helper()
	t.Run("desktop", func(t *testing.T) {
		do(t, look{width: desktop.width, height: desktop.height, language: "es", dark: true})
	})
	t.Run("phone", func(t *testing.T) { do(t, look{width: phone.width, height: phone.height, language: "de"}) })
}

// say chooses the words of a test by the language of the window.
func (l look) say(es, de string) string {
	if l.language == "es" {
		return es
	}
	return de
}

// signUp makes an account on the plain pages, and gives the words that they show.
func (w *tab) signUp(handle string) []string {
	w.t.Helper()
	w.visit("/sign-up")
	w.until("the form", `document.querySelector("input[name=handle]")`)
	w.run(`(document.querySelector("input[name=handle]").value = ` + quote(handle) + `, document.querySelector("input[name=password]").value = ` + quote(password) + `, document.querySelector("button").click())`)
	w.until("the words", `document.querySelectorAll(".words li").length === 4`)
	return eval[[]string](w, `[...document.querySelectorAll(".words li")].map((e) => e.textContent.trim())`)
}

// TestOperatorLetsIn: who signs up waits, the words are the same on both screens, and one
// is let in and another refused, while the page shows who comes and goes by itself.
func TestOperatorLetsIn(t *testing.T) {
	onBoth(t, func(t *testing.T, l look) {
		i := serve(t)
		w := i.signIn("ana", l)
		w.visit("#/operator/waiting")
		w.see(l.say("Nadie espera", "Niemand wartet"))
		w.accessible()

		carla := open(t, i.base, l)
		words := carla.signUp("carla")
		w.see("carla")
		w.until("the four words", `document.querySelectorAll(".op-four li").length === 4`)
		if got := eval[[]string](w, `[...document.querySelectorAll(".op-four li")].map((e) => e.textContent.trim())`); !slices.Equal(got, words) {
			t.Errorf("the operator sees %q and the person %q", got, words)
		}
		w.until("the badge", `[...document.querySelectorAll(".nav .badge, .badge")].some((e) => e.textContent.includes("1"))`)
		w.accessible()
		w.keep("waiting")
		dora := open(t, i.base, l)
		dora.signUp("dora")
		w.see("dora")

		w.press(l.say("Aprobar a carla", "carla freigeben"))
		w.until("that carla is in", `!document.querySelector(".op-person h2")?.textContent.includes("carla")`)
		carla.visit("/waiting")
		carla.see("carla")
		carla.miss(words[0])
		i.signIn("carla", l)

		w.press(l.say("Rechazar dora", "Ablehnen dora"))
		w.see(l.say("Rechazar a dora", "dora ablehnen"))
		w.accessible()
		w.keep("refuse")
		w.press(l.say("Sí, hazlo", "Ja, so machen"))
		w.see(l.say("Nadie espera", "Niemand wartet"))
		dora.visit("/waiting")
		dora.until("that it is said", `!document.querySelector(".words")`)
		if status, _ := i.try("", "POST", "/api/collections/users/auth-with-password", map[string]string{"identity": "dora", "password": password}); status == 200 {
			t.Error("who was refused signs in")
		}
	})
}

// TestOperatorSuspends: what an account has open ends within a second, and is told.
func TestOperatorSuspends(t *testing.T) {
	onBoth(t, func(t *testing.T, l look) {
		i := serve(t)
		i.command("account", "add", "ben", "--password", password)
		w := i.signIn("ana", l)
		ben := i.signIn("ben", l)
		ben.visit("#/operator")
		ben.see(l.say("Tu cuenta es de miembro", "eines Mitglieds"))
		ben.accessible()
		ben.allow("401", "403", "Failed to load resource")
		ben.run(`import("/lib/store.js").then((s) => (window.store = s))`)

		w.visit("#/operator/accounts")
		w.fill(l.say("Buscar por alias", "Nach Kürzel suchen"), "be")
		w.miss("ana")
		w.press("ben")
		w.accessible()
		w.keep("account")
		w.press(l.say("Suspender a ben", "ben sperren"))
		w.press(l.say("Sí, hazlo", "Ja, so machen"))
		w.see(l.say("suspendida", "gesperrt"))
		w.accessible()
		w.keep("suspended")
		w.press(l.say("Miembros", "Mitglieder"))
		w.see(l.say("Ningún alias empieza", "Kein Kürzel beginnt"))
		w.press(l.say("Suspendidas", "Gesperrt"))
		w.see("ben")

		ben.visit("#/inbox")
		ben.visit("#/")
		ben.until("that the session has ended", `window.store.ended.value || !window.store.me.value`)
		ben.keep("told")
		if status, _ := i.try(i.token("ben"), "GET", "/api/nodkeep/me", nil); status != 401 {
			t.Errorf("a suspended account is answered %d", status)
		}
		w.press("ben")
		w.press(l.say("Reactivar a ben", "ben entsperren"))
		w.until("that ben is back", `!document.querySelector(".op-row .chip")`)
		w.press(l.say("Todas", "Alle"))
		// One's own row says so, and the last operator stays one.
		w.fill(l.say("Buscar por alias", "Nach Kürzel suchen"), "an")
		w.miss("ben")
		w.press("ana")
		w.allow("409")
		w.press(l.say("Retirar a ana", "ana die Operatorrolle"))
		w.see("ana")
		w.keep("own")
	})
}

// TestOperatorLinks: an invitation is shown once and makes an account, a link sets a new password.
func TestOperatorLinks(t *testing.T) {
	onBoth(t, func(t *testing.T, l look) {
		i := serve(t)
		w := i.signIn("ana", l)
		w.visit("#/operator/invites")
		w.fill(l.say("Para quién", "Für wen"), "für Dora <b>🎉</b>")
		w.press(l.say("Crear una invitación", "Einladung erstellen"))
		w.until("the link", `document.querySelector(".op-link")`)
		link := eval[string](w, `document.querySelector(".op-link").textContent`)
		if !strings.HasPrefix(link, i.base+"/link/") {
			t.Fatalf("the link is %q", link)
		}
		w.press(l.say("Mostrar un código QR", "QR-Code zeigen"))
		w.until("the code", `document.querySelector(".qr path:last-child")`)
		w.accessible()
		w.keep("invite")
		w.press(l.say("Cerrar", "Schließen"))
		w.see("für Dora <b>🎉</b>")
		w.accessible()

		dora := open(t, i.base, l)
		dora.visit(strings.TrimPrefix(link, i.base))
		dora.until("the form", `document.querySelector("input[name=handle]")`)
		dora.run(`(document.querySelector("input[name=handle]").value = "dora", document.querySelector("input[name=password]").value = ` + quote(password) + `, document.querySelector("button").click())`)
		dora.see("dora")
		w.see(l.say("No hay invitaciones", "Keine Einladung"))

		w.visit("#/operator/resets")
		w.fill(l.say("Alias del miembro", "Kürzel des Mitglieds"), "dora")
		w.press(l.say("Crear un enlace", "Link erstellen"))
		w.until("the link", `document.querySelector(".op-link")`)
		link = eval[string](w, `document.querySelector(".op-link").textContent`)
		w.press(l.say("Cerrar", "Schließen"))
		w.see("dora")
		w.keep("resets")
		dora.visit(strings.TrimPrefix(link, i.base))
		dora.until("the form", `document.querySelector("input[name=password]")`)
		dora.run(`(document.querySelector("input[name=password]").value = "another " + ` + quote(password) + `, document.querySelector("button").click())`)
		dora.until("that it is set", `!document.querySelector("input[name=password]")`)
		if status, _ := i.try("", "POST", "/api/collections/users/auth-with-password", map[string]string{"identity": "dora", "password": "another " + password}); status != 200 {
			t.Errorf("the new password is answered %d", status)
		}
		w.see(l.say("No hay enlaces", "Kein solcher Link"))

		w.visit("#/operator/invites")
		w.press(l.say("Crear una invitación", "Einladung erstellen"))
		w.until("the link", `document.querySelector(".op-link")`)
		w.press(l.say("Cerrar", "Schließen"))
		w.press(l.say("Revocar", "Widerrufen"))
		w.press(l.say("Sí, hazlo", "Ja, so machen"))
		w.see(l.say("No hay invitaciones", "Keine Einladung"))
	})
}

// TestOperatorNames makes an account, and gives and takes the role of an operator, which
// whoever has it sees by itself.
func TestOperatorNames(t *testing.T) {
	onBoth(t, func(t *testing.T, l look) {
		i := serve(t)
		w := i.signIn("ana", l)
		w.visit("#/operator/accounts")
		w.press(l.say("Cuenta nueva", "Neues Konto"))
		w.accessible()
		w.allow("409")
		w.fill(l.say("Alias", "Kürzel"), "ana")
		w.press(l.say("Crear la cuenta", "Konto anlegen"))
		w.until("the refusal", `document.querySelector("dialog [role=alert]") && document.querySelector("dialog input[name=handle]").value === "ana"`)
		w.fill(l.say("Alias", "Kürzel"), "eve")
		w.keep("add")
		w.press(l.say("Crear la cuenta", "Konto anlegen"))
		w.until("the password", `document.querySelector(".op-link")`)
		made := eval[string](w, `document.querySelector(".op-link").textContent`)
		w.accessible()
		w.press(l.say("Cerrar", "Schließen"))
		w.until("that eve is there", `document.querySelectorAll(".op-row").length === 2`)
		if status, _ := i.try("", "POST", "/api/collections/users/auth-with-password", map[string]string{"identity": "eve", "password": made}); status != 200 {
			t.Errorf("the password that was shown is answered %d", status)
		}

		i.command("account", "add", "ben", "--password", password)
		ben := i.signIn("ben", l)
		ben.visit("#/more")
		w.see("ben")
		w.press("ben")
		w.press(l.say("Nombrar operador a ben", "ben zum Operator machen"))
		w.press(l.say("Sí, hazlo", "Ja, so machen"))
		ben.until("the pages for operators", `[...document.querySelectorAll("a[href='#/operator']")].some((e) => e2e.shown(e))`)
		ben.visit("#/operator/operators")
		ben.see("ana", "ben")
		ben.accessible()
		ben.press("ben")
		ben.press(l.say("Retirar a ben", "ben die Operatorrolle"))
		ben.press(l.say("Sí, hazlo", "Ja, so machen"))
		ben.until("that the pages are closed", `!document.querySelector("a[href='#/operator']") && location.hash === "#/"`)
	})
}

// TestOperatorRequests answers what members ask for.
func TestOperatorRequests(t *testing.T) {
	onBoth(t, func(t *testing.T, l look) {
		i := serve(t, "ASSISTANTS=local", "ASSISTANT_LOCAL_BASE_URL=http://127.0.0.1:9", "ASSISTANT_LOCAL_MODEL=small")
		i.command("account", "add", "ben", "--password", password)
		w := i.signIn("ana", l)
		w.visit("#/operator/requests")
		w.see(l.say("Nadie pide nada", "Niemand bittet um etwas"))
		i.ask("ben", "POST", "/api/nodkeep/me/more", map[string]any{"assistant": "local", "note": strings.Repeat("please ", 40)})
		w.see("please")
		w.accessible()
		w.keep("requests")
		w.press(l.say("Aprobar: ben", "Genehmigen: ben"))
		w.see(l.say("Nadie pide nada", "Niemand bittet um etwas"))
		items, _ := i.ask("ben", "GET", "/api/nodkeep/me/assistants", nil)["items"].([]any)
		if len(items) != 1 || items[0].(map[string]any)["granted"] != true {
			t.Errorf("what was approved is not granted: %v", items)
		}
	})
}
