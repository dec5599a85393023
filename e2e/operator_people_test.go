package e2e

import "testing"

// TestOperatorPeople: what an operator does with people, and what these see of it.
func TestOperatorPeople(t *testing.T) {
	i := serve(t)
	for name, l := range map[string]look{"desktop": desktop, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			i := *i
			i.t = t
			w := i.signIn("ana", l)
			w.visit("#/operator")
			w.see("Waiting to be let in")
			w.accessible()
			w.keep("overview")
			for _, page := range []string{"waiting", "accounts", "operators", "invites", "resets", "requests"} {
				w.visit("#/operator/" + page)
				w.until("the page", `document.querySelector(".op-head") && !document.querySelector("[aria-busy=true]")`)
				w.accessible()
				w.keep(page)
			}
		})
	}
}
