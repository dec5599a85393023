package e2e

import "testing"

// TestSettingsZone: times are told by the time zone of the profile, not by the
// device's; a name that is none is refused where it stands.
func TestSettingsZone(t *testing.T) {
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		w := i.signIn("ana", l)
		w.allow("Failed to load resource") // the name that is none
		w.visit("#/settings")
		w.see("Time zone", "Left empty")
		w.fill("Time zone", "Mars/Olympus")
		w.click("to save", zoneSave)
		w.see("is no time zone")
		w.accessible()
		w.fill("Time zone", "Pacific/Kiritimati")
		w.click("to save", zoneSave)
		w.until("it to be kept", zoneIs("Pacific/Kiritimati"))
		w.miss("is no time zone")
		w.accessible()
		w.keep("zone")
		if zone, _ := i.ask("ana", "GET", "/api/nodkeep/me", nil)["time_zone"].(string); zone != "Pacific/Kiritimati" {
			t.Errorf("kept as %q", zone)
		}
		// 14 hours ahead of UTC, and as the clocks change over there and back.
		for of, want := range map[string]string{
			`import("/lib/i18n.js").then((m) => m.moment("2026-12-31T10:30:00Z").replace(/\s/g, " "))`: "1 Jan 2027, 00:30",
			`import("/lib/clock.js").then((m) => m.dayOf("2026-12-31T10:30:00Z"))`:                     "2027-01-01",
			`import("/lib/clock.js").then((m) => m.unwall("2027-01-01T00:30:00").toISOString())`:       "2026-12-31T10:30:00.000Z",
		} {
			if got := eval[string](w, of); got != want {
				t.Errorf("%s is %s, want %s", of, got, want)
			}
		}
		w.fill("Time zone", "America/New_York")
		w.click("to save", zoneSave)
		w.until("it to be kept", zoneIs("America/New_York"))
		for of, want := range map[string]string{"2026-03-08T03:30:00": "2026-03-08T07:30:00.000Z", "2026-11-01T00:30:00": "2026-11-01T04:30:00.000Z", "2026-11-01T02:30:00": "2026-11-01T07:30:00.000Z", "": "none"} {
			if got := eval[string](w, `import("/lib/clock.js").then((m) => { const at = m.unwall(`+quote(of)+`); return isNaN(at) ? "none" : at.toISOString() })`); got != want {
				t.Errorf("%s is %s, want %s", of, got, want)
			}
		}
		w.fill("Time zone", "")
		w.click("to save", zoneSave)
		w.until("the device's own", zoneIs(""))
	})
}

// TestSettingsSignOut: signing out everywhere shows a card first, and ends the
// session on the other device too, which says so without being asked for anything.
func TestSettingsSignOut(t *testing.T) {
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		other, w := i.signIn("ben", desktop), i.signIn("ben", l)
		other.allow("Failed to load resource")
		w.allow("Failed to load resource")
		other.settled()
		w.visit("#/settings")
		w.press("Sign out everywhere")
		w.see("Sign out on every device", "Tokens of agents stay good")
		w.accessible()
		w.keep("signout")
		w.press("Back")
		w.until("the card to be gone", `!document.querySelector("dialog[open]")`)
		w.press("Sign out everywhere")
		w.see("Sign out on every device")
		w.press("Yes, do this")
		w.see("Every session of this account has ended.", "Sign in")
		w.accessible()
		other.see("The session of ben has ended")
		other.signs("ben", password)
		other.until("the page as it was", `!document.querySelector("dialog[open]") && document.querySelector("nav.nav")`)
	})
}

// TestSettingsExport: all that is kept of oneself comes as a file.
func TestSettingsExport(t *testing.T) {
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		w := i.signIn("ana", l)
		w.visit("#/settings")
		w.holdFiles()
		w.press("Export as JSON")
		w.until("the file", `window.held.length`)
		w.accessible()
		w.keep("export")
		got := eval[string](w, `(() => { const x = JSON.parse(window.held.at(-1)); return [window.named.slice(0, 12), x.format, x.account.handle, x.complete, x.plugins.household.parts.length > 0].join() })()`)
		if got != "nodkeep-ana-,nodkeep.person,ana,true,true" {
			t.Error(got)
		}
	})
}

// zoneIs is a script that says whether the page goes by a time zone.
func zoneIs(name string) string {
	return `import("/lib/store.js").then((m) => (m.me.value.time_zone || "") === ` + quote(name) + ` && document.querySelector("[name=time_zone]")?.value === ` + quote(name) + `)`
}

const zoneSave = `document.querySelector("[name=time_zone]").form.querySelector("button")`
