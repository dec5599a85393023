package e2e

import "testing"

func TestHome(t *testing.T) {
	i := demo(t, "en")
	for name, l := range map[string]look{"desktop": desktop, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			i := *i
			i.t = t
			w := i.signIn("ana", l)
			w.see("244.78")
			w.press("Subscriptions")
			w.see("Netflix")
			w.accessible()
			w.keep("subscriptions")
		})
	}
}
