package e2e

import (
	"encoding/json"
	"testing"
)

// TestShellOther: another tab signed somebody else in, and this one was not told. What is
// asked here is not done in their name: the page begins anew, as theirs.
func TestShellOther(t *testing.T) {
	i := demo(t, "en")
	w := i.signIn("ana", desktop)
	w.settled()
	_, answer := i.try("", "POST", "/api/collections/users/auth-with-password", map[string]string{"identity": "ben", "password": password})
	session, err := json.Marshal(map[string]any{"token": answer["token"], "record": answer["record"]})
	if err != nil {
		t.Fatal(err)
	}
	w.run(`(localStorage.setItem("nodkeep_auth", ` + quote(string(session)) + `), window.before = true)`)
	w.run(`void import("/lib/api.js").then((m) => m.post("/tools/household_category_add", { name: "In whose name" }))`)
	w.until("the page to begin anew", `!window.before && document.querySelector("nav.nav")`)
	w.visit("#/settings")
	w.see("ben")
	for _, c := range i.tool("ben", "household_category_list", nil)["items"].([]any) {
		if c.(map[string]any)["name"] == "In whose name" {
			t.Error("what ana asked for was done as ben")
		}
	}
}
