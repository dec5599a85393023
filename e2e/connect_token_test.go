package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestConnect makes a token, sees it work where agents come in, and ends it.
func TestConnect(t *testing.T) {
	i := demo(t, "en")
	for name, l := range map[string]look{"desktop": desktop, "phone": {width: 375, height: 740, dark: true}} {
		t.Run(name, func(t *testing.T) {
			i := *i
			i.t = t
			w := i.signIn("ana", l)
			w.visit("#/connect")
			w.see("1. Make a token", "PASTE_TOKEN_HERE")
			w.accessible()
			w.press("Make a token")
			w.fill("Name", "Desk <b>א")
			w.keep("form")
			w.accessible()
			w.press("Make a token")
			w.see("The token Desk <b>א is there")
			w.miss("PASTE_TOKEN_HERE")
			secret := eval[string](w, `document.querySelector(".secret pre").textContent`)
			if !strings.HasPrefix(secret, "nk_") {
				t.Fatalf("no secret: %q", secret)
			}
			if !opens(t, i.base, secret) {
				t.Error("a token that was just made is refused where agents come in")
			}
			if eval[bool](w, `(location.href + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)).includes(`+quote(secret)+`)`) {
				t.Error("the secret is kept")
			}
			for _, door := range []string{"audit", "tokens", "proposals"} {
				if said, _ := json.Marshal(i.ask("ana", "GET", "/api/nodkeep/"+door, nil)); strings.Contains(string(said), secret) {
					t.Errorf("the secret is in what %s answers", door)
				}
			}
			w.press("Show as a code")
			w.see("The code holds the token and nothing else.")
			w.until("the code", `document.querySelector(".qr svg path:last-child")?.getAttribute("d").length > 500`)
			w.keep("secret")
			w.accessible()

			w.run(`Object.defineProperty(navigator, "clipboard", {value: undefined, configurable: true})`)
			w.press("Copy: Token")
			w.see("It is selected")
			if got := eval[string](w, "getSelection().toString()"); got != secret {
				t.Errorf("selected is %q", got)
			}

			w.press("Claude Code")
			w.press("On the machine itself")
			w.see("claude mcp add", secret)
			w.press("Test")
			w.see("It works", "Protocol 2026-07-28", "Protocol 2025-11-25")
			w.keep("tried")
			w.press("I have it, hide it")
			w.see("PASTE_TOKEN_HERE")
			w.miss(secret)

			w.press("Change: Desk <b>א")
			w.fill("Read", true)
			w.press("Save")
			w.see("reads")
			w.accessible()
			w.press("New secret: Desk <b>א")
			w.see("A new secret for Desk <b>א")
			w.press("New secret")
			w.see("The token Desk <b>א is there")
			if opens(t, i.base, secret) {
				t.Error("the old secret is still good")
			}
			secret = eval[string](w, `document.querySelector(".secret pre").textContent`)
			if !opens(t, i.base, secret) {
				t.Error("the new secret is refused")
			}
			w.press("Revoke: Desk <b>א")
			w.see("Yes, do this")
			w.accessible()
			w.press("Yes, do this")
			w.see("Revoked", "revoked")
			if opens(t, i.base, secret) {
				t.Error("a revoked token is still good")
			}
			w.miss(secret)
			w.fill("Token", secret)
			w.press("Test")
			w.see("The token is refused")
			w.keep("after")
		})
	}
}

// opens says whether agents come in with a token.
func opens(t *testing.T, base, token string) bool {
	t.Helper()
	req, err := http.NewRequest("POST", base+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"e2e","version":"1"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}
