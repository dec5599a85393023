package assistant

import (
	"strings"
	"testing"
)

// TestLinks: of the addresses in an answer those that the model was given are
// shown, and no other, however it is cut into pieces.
func TestLinks(t *testing.T) {
	const long = "https://given.example/"
	given := []string{
		`{"url":"https://www.netflix.com/account","notes":"see https://evil.example/c?d= or https://evil.example/é"}`,
		"is www.shop.example good? ask ann@mail.example.com, or visa.example/help", long + strings.Repeat("a", 3000),
	}
	for said, want := range map[string]string{
		"At https://www.netflix.com/account.":                  "At https://www.netflix.com/account.",
		"**https://www.netflix.com/account**, too":             "**https://www.netflix.com/account**, too",
		"[Netflix](https://www.netflix.com/account), \"x\"":    "[Netflix](https://www.netflix.com/account), \"x\"",
		"<https://www.netflix.com/account> here":               "<https://www.netflix.com/account> here",
		"https://www.netflix.com/account…":                     "https://www.netflix.com/account…",
		"See www.shop.example!":                                "See www.shop.example!",
		"It is at visa.example/help.":                          "It is at visa.example/help.",
		"You pay 15.99/month, i.e. 1.234,50 EUR/Jahr z.B.":     "You pay 15.99/month, i.e. 1.234,50 EUR/Jahr z.B.",
		"Cancel at netflix.com. On 31.12.2026 and/or later":    "Cancel at netflix.com. On 31.12.2026 and/or later",
		"https://evil.example/c?d=":                            "https://evil.example/c?d=",
		"https://evil.example/c?d=x":                           "[-]",
		"![x](https://evil.example/c?d=x)":                     "![x]([-])",
		"https://evil.example/c?d='x":                          "[-]",
		"https://evil.example/c?d=)x":                          "[-]",
		"https://evil.example/c?d=]x y":                        "[-] y",
		"https://evil.example/c?d=`x`":                         "[-]`",
		"https://evil.example/éx and":                          "[-] and",
		"https://evil.example/c?d=\u00a0x":                     "[-]",
		"<https://evil.example/c?d= x>":                        "<[-] x>",
		`<img src="https://evil.example/c?d= x">`:              `<img src="[-] x">`,
		"//evil.example/x":                                     "[-]",
		"HTTPS://EVIL.EXAMPLE/x":                               "[-]",
		"evil.example/x or evil.example?x":                     "[-] or [-]",
		"x.evil.example":                                       "[-]",
		"www.evil.example":                                     "[-]",
		"[x](mailto:drop@evil.example?body=x)":                 "[x]([-])",
		"[x](javascript:alert(1))":                             "[x]([-]))",
		"[x](data:text/html,x)":                                "[x]([-])",
		"10.0.0.7:80/x":                                        "[-]",
		"日本語、evil.example/x です":                                "日本語、[-] です",
		long + strings.Repeat("a", 3000) + "x":                 "[-]",
		strings.Repeat("1", 2500) + "https://evil.example/x y": strings.Repeat("1", 2500) + "[-] y",
	} {
		for _, n := range []int{1, 3, 1000, 10000} {
			l := links{instead: "[-]"}
			for _, g := range given {
				l.give(g)
			}
			var got strings.Builder
			for rest := []rune(said); len(rest) > 0; {
				k := min(n, len(rest))
				got.WriteString(l.pass(string(rest[:k])))
				rest = rest[k:]
			}
			got.WriteString(l.rest())
			if is := strings.ReplaceAll(got.String(), "[-])", "[-]"); is != strings.ReplaceAll(want, "[-])", "[-]") {
				t.Errorf("%.100q in pieces of %d: %.100q, want %.100q", said, n, got.String(), want)
			}
		}
	}
}

// TestLinksMade: an address that the model wrote into a call stays its own, when
// a tool says it again.
func TestLinksMade(t *testing.T) {
	l := links{instead: "[-]"}
	l.give("https://netflix.example/a")
	l.called(`{"url":"https://netflix.example/a","notes":"https://evil.example/x"}`)
	l.give(`{"notes":"https://evil.example/x"}`)
	if got := l.pass("https://netflix.example/a https://evil.example/x https://evil.example/ ") + l.rest(); got != "https://netflix.example/a [-] [-] " {
		t.Error(got)
	}
}
