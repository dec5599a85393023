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
			i := i.on(t)
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

// TestConnectClients: for every client and both ways there is a configuration with the real address or
// program, which is copied by a press; what a token may is said in a sentence each; its last use is told.
func TestConnectClients(t *testing.T) {
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		w := i.signIn("ana", l)
		w.visit("#/connect")
		w.until("the clients", `document.querySelectorAll("[role=group] > button.chip[aria-pressed]").length > 8`)
		w.run(`Object.defineProperty(navigator, "clipboard", {value: { writeText: async (s) => { window.copied = s } }, configurable: true})`)
		names := eval[[]string](w, `[...document.querySelectorAll("[role=group] > button.chip[aria-pressed]")].map((e) => e.textContent)`)
		for _, name := range names {
			w.press(name)
			for way, holds := range map[string]string{"Over the network": i.base + "/mcp", "On the machine itself": i.dir} {
				if !eval[bool](w, `!!e2e.press(`+quote(way)+`)`) {
					continue // it has one way alone
				}
				w.press(way)
				w.press("Copy: Into this file")
				w.until("what was copied", `window.copied`)
				if text := eval[string](w, "copied"); !strings.Contains(strings.ReplaceAll(text, `\\`, `\`), holds) {
					t.Errorf("%s, %s, without %s: %s", name, way, holds, text)
				}
				if !eval[bool](w, `[...document.querySelectorAll("pre")].some((e) => e.textContent === copied)`) {
					t.Errorf("%s, %s: another text is copied than is shown", name, way)
				}
				w.run(`(window.copied = "")`)
			}
			w.fits(name)
		}
		w.press("Make a token")
		if n := eval[int](w, `[...document.querySelectorAll(".radios label.tick .soft.small")].filter((e) => /\S+ \S+ \S+/.test(e.textContent)).length`); n != 6 {
			t.Errorf("%d of 4 modes and 2 choices of tools are said in a sentence", n)
		}
		w.fill("Name", "Used "+t.Name())
		w.press("Make a token")
		w.see("is there")
		secret := eval[string](w, `document.querySelector(".secret pre").textContent`)
		w.visit("#/more")
		w.visit("#/connect")
		used := `[...document.querySelectorAll(".items > li")].find((e) => e.innerText.includes(` + quote("Used "+t.Name()) + `))?.innerText`
		w.until("a token that was never used", used+`?.includes("Not used yet")`)
		if !opens(t, i.base, secret) {
			t.Fatal("it is refused")
		}
		w.visit("#/more")
		w.visit("#/connect")
		w.until("its last use", used+`?.includes("Last used")`)
		w.press("Open on a phone") // the way from this screen to a phone
		w.until("its code", `document.querySelector(".qr svg path:last-child")`)
		w.accessible()
	})
}
