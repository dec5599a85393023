package e2e

import (
	"regexp"
	"testing"
)

// link is the path of a one-time link among what a command printed.
func link(t testing.TB, said string) string {
	t.Helper()
	at := regexp.MustCompile(`/link/[^\s"]+`).FindString(said)
	if at == "" {
		t.Fatalf("no link in %s", said)
	}
	return at
}

// TestShellPlain: the pages without scripts lead into the front end.
func TestShellPlain(t *testing.T) {
	i := serve(t)

	each(t, i, func(t *testing.T, i *instance, l look) {
		l.language, l.dark = "es", l.width < 600
		w := open(i.t, i.base, l)
		who := map[bool]string{true: "dora", false: "elena"}[l.dark]
		w.visit("/sign-up")
		w.see("Crear una cuenta")
		w.accessible()
		w.keep("sign-up")
		w.run(`(document.getElementById("handle").value = ` + quote(who) + `, document.getElementById("password").value = ` + quote(password) + `, document.querySelector("button.main").click())`)
		w.until("four words", `document.querySelectorAll(".words li").length === 4`)
		w.accessible()
		w.keep("waiting")
		w.allow("Failed to load resource")
		w.visit("/")
		w.signs(who, password)
		w.until("why not, and where it stands", `document.querySelector(".note.bad a[href='/waiting']")`)
		w.accessible()
		i.command("account", "approve", who)
		w.visit("/waiting")
		w.keep("approved")
		w.accessible()
		w.press("Iniciar sesión")
		w.until("the handle", `document.querySelector("input[name=identity]")?.value === `+quote(who))
		w.until("the password with the focus", `document.activeElement.name === "password"`)
		w.signs(who, password)
		w.until("the shell without the handle in its address", `document.querySelector("nav.nav") && !location.hash.includes("as=")`)

		w.visit(link(i.t, i.command("account", "reset", who)))
		w.accessible()
		w.run(`(document.getElementById("password").value = "another password", document.querySelector("button.main").click())`)
		w.press("Iniciar sesión")
		w.signs(who, "another password")
		w.until("the shell", `document.querySelector("nav.nav")`)
		w.visit("/privacy")
		w.accessible()
		w.keep("privacy")
		w.press("Inicio")
		w.until("the shell", `document.querySelector("nav.nav")`)
	})
}
