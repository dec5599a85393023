package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestWide: on windows as wide as there are, pages stay as wide as one reads, and nothing stands out of them.
func TestWide(t *testing.T) {
	i := demo(t, "es")
	for _, l := range []look{{width: 1920, height: 1080, language: "es"}, {width: 2560, height: 1440, dark: true, language: "es"}} {
		w := i.signIn("ana", l)
		for _, path := range append(w.paths(), i.details()...) {
			w.visit("#" + path)
			w.settled()
			w.fits(path)
			if long := eval[string](w, `[...document.querySelectorAll("main p, main li > span")].filter((e) => e.getBoundingClientRect().width > 1100).map((e) => e.outerHTML.slice(0, 80))[0] || ""`); long != "" {
				t.Errorf("%s has lines that are too long to read at %d: %s", path, l.width, long)
			}
			w.keep(strings.ReplaceAll(path, "/", "-"))
		}
	}
}

// details are pages of one record each: a subscription, a card that waits, an entry, a tool, a plugin.
func (i *instance) details() []string {
	i.t.Helper()
	id := i.subscription("ana", "Netflix")
	items, _ := i.ask("ana", "GET", "/api/nodkeep/audit?limit=1", nil)["items"].([]any)
	card := i.agent("ana", "Details", "ask").asks("household_subscription_cancel", map[string]any{"id": id})
	return []string{"/subscriptions/" + id, "/subscriptions/" + id + "/edit", "/inbox/" + card, "/activity/" + items[0].(map[string]any)["id"].(string), "/tool/household_subscription_add", "/tools/household"}
}

// TestMotion: nothing moves for whoever wants none of it, and a little for everybody else.
func TestMotion(t *testing.T) {
	i := demo(t, "en")
	for wish, moves := range map[string]bool{"reduce": false, "no-preference": true} {
		t.Run(wish, func(t *testing.T) {
			i := i.on(t)
			w := i.signIn("ana", phone)
			command(w, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: wish}}})
			// Whatever begins to move is noted, for as long as the test goes on.
			w.run(`(window.moved = [], ["animationstart", "transitionrun"].forEach((name) => document.addEventListener(name, (e) => moved.push(name + " " + (e.target.className || e.target.tagName)), true)))`)
			w.see("Next 30 days")
			w.press("Ask")
			w.until("the panel", `document.querySelector(".ask-panel")`)
			w.asks("How much do we pay?")
			w.answered(1)
			w.press("What it is about")
			w.until("a sheet", `document.querySelector("dialog[open]")`)
			w.press("Done")
			w.press("Close")
			w.visit("#/settings")
			w.fill("Name", "Ana "+wish)
			w.press("Save")
			w.see("Saved")
			w.visit("#/subscriptions")
			w.until("the list", names+`.length > 5`)
			w.run(`document.querySelector("input[data-sub]").click()`)
			w.see("1 selected")
			moved := eval[[]string](w, "moved")
			if !moves && len(moved) > 0 {
				t.Errorf("moves: %s", strings.Join(moved, ", "))
			}
			if moves && len(moved) == 0 {
				t.Error("nothing moves, so that nothing was shown")
			}
			if smooth := eval[string](w, `getComputedStyle(document.documentElement).scrollBehavior`); !moves && smooth != "auto" {
				t.Errorf("scrolling is %s", smooth)
			}
		})
	}
}
