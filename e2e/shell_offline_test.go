package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// installed waits until the device has all that it needs to begin without the server.
func (w *tab) installed() {
	w.t.Helper()
	w.until("the files on the device", `navigator.serviceWorker.controller && caches.open("start").then((c) => c.keys()).then((k) => k.some((r) => r.url.includes("/texts/")) && k.some((r) => r.url.endsWith("/api/nodkeep/")))`)
}

// again begins the page anew, as the browser's own button does.
func (w *tab) again() {
	w.t.Helper()
	w.do(chromedp.Reload())
}

// TestShellOffline: after one visit the front end begins without its server, shows what was
// seen last, keeps what is typed, and goes on by itself once the server is back.
func TestShellOffline(t *testing.T) {
	for name, l := range map[string]look{"desktop": desktop, "phone": phone} {
		t.Run(name, func(t *testing.T) { goesOn(t, l) })
	}
}

func goesOn(t *testing.T, l look) {
	i := serve(t)
	i.ask("ana", "POST", "/api/nodkeep/tools/household_subscription_add", subscription("Turnverein"))
	i.ask("ana", "POST", "/api/nodkeep/me", map[string]string{"name": "Ana María"})
	w := i.signIn("ana", l)
	w.allow("ERR_CONNECTION_REFUSED", "Failed to load resource", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
	w.installed()
	w.visit("#/subscriptions")
	w.see("Turnverein")
	lists := []string{"#/", "#/inbox", "#/activity", "#/calendar", "#/spending"}
	for _, path := range lists {
		w.visit(path)
		w.settled()
	}
	w.visit("#/settings")
	w.fill("Name", "Ana without a network")
	i.stop()
	w.press("Save")
	w.see("What was entered stays here", "Offline")
	w.until("what was typed", `e2e.field("Name").value === "Ana without a network"`)
	w.accessible()
	w.keep("offline")

	w.visit("#/subscriptions")
	w.again()
	w.see("Turnverein", "As it was", "Offline")
	for _, path := range lists { // each as it was last, with its time
		w.visit(path)
		w.until(path+" as it was", `location.hash === `+quote(path)+` && document.querySelector("main h1") && document.querySelector("main").innerText.includes("As it was") && !document.querySelector("main [role=alert]")`)
	}
	w.visit("#/subscriptions")
	w.see("Turnverein")
	w.until("an operator's navigation", `import("./lib/store.js").then((s) => s.me.value.operator && s.me.value.name === "Ana María")`)
	if key := eval[string](w, `(document.body.innerText.match(/\b(web|household\.web)\.[a-z_.]+/) || [""])[0]`); key != "" {
		t.Errorf("the page says the key %s", key)
	}
	w.accessible()
	w.keep("reloaded")

	i.start("serve", "--dir", i.dir, "--http", strings.TrimPrefix(i.base, "http://"))
	w.miss("As it was")
	w.miss("Offline")
	w.until("a connection for what happens meanwhile", `import("./lib/api.js").then((a) => a.pb.realtime.isConnected)`)
	i.ask("ana", "POST", "/api/nodkeep/tools/household_subscription_add", subscription("Chor"))
	w.see("Chor")
}

// TestShellVersion: another version of the files is taken over whole: never half of each, and
// never under somebody's fingers.
func TestShellVersion(t *testing.T) {
	i := &instance{t: t, base: "http://" + free(t), dir: filepath.Join(t.TempDir(), "pb_data")}
	public := filepath.Join(filepath.Dir(i.dir), "pb_public")
	if err := os.CopyFS(public, os.DirFS("../pb_public")); err != nil {
		t.Fatal(err)
	}
	// release changes what a page begins with and what comes later, so that one sees of which version each is.
	release := func(version string) {
		for name, change := range map[string][2]string{
			"parts/shell.js": {`href="#/">Nodkeep</a>`, `href="#/">` + version + `</a>`},
			"pages/more.js":  {`<h1>${t("web.nav.more")}`, `<h1>${t("web.nav.more")} ` + version},
		} {
			data, err := os.ReadFile(filepath.Join("../pb_public", name))
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(data), change[0], change[1], 1)
			if changed == string(data) {
				t.Fatalf("%s has no %s", name, change[0])
			}
			if err := os.WriteFile(filepath.Join(public, name), []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	i.command("account", "add", "ana", "--password", password, "--operator")
	i.start("serve", "--dir", i.dir, "--http", strings.TrimPrefix(i.base, "http://"))
	w := i.signIn("ana", phone)
	w.installed()
	is := func(brand, more string) {
		t.Helper()
		w.until("the version of "+brand, `document.querySelector("header.top a.brand")?.textContent === `+quote(brand))
		w.visit("#/more")
		w.until("its pages", `document.querySelector("main h1")?.textContent === `+quote(more))
	}

	// The page that is open goes on with its own; the next one takes over, as nothing was typed yet
	// and they have just come: however slow the machine, time goes by slower.
	command(w, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `{ const own = Date.now, at = own(); Date.now = () => at + (own() - at) / 100 }`})
	release("Zwei")
	is("Nodkeep", "More")
	w.again()
	is("Zwei", "More Zwei")

	// Whoever is at work is asked.
	release("Drei")
	w.press("Settings")
	w.fill("Name", "half a name")
	w.run(`navigator.serviceWorker.getRegistration().then((r) => r.update())`)
	w.see("There is a new version")
	w.until("what was typed", `e2e.field("Name").value === "half a name"`)
	w.accessible()
	w.keep("version")
	w.press("Load it")
	is("Drei", "More Drei")
}

// TestShellInstallable: a browser takes it for an app of its own.
func TestShellInstallable(t *testing.T) {
	w := serve(t).signIn("ana", phone)
	w.installed()
	for _, e := range command(w, page.GetInstallabilityErrors, cdp.Empty{}).InstallabilityErrors {
		if e.ErrorID != "in-incognito" { // as windows of tests are
			t.Errorf("it cannot be installed: %s", e.ErrorID)
		}
	}
	if m := command(w, page.GetAppManifest, page.GetAppManifestParams{}); len(m.Errors) > 0 || !strings.Contains(m.Data, `"standalone"`) {
		t.Errorf("the manifest: %+v %s", m.Errors, m.Data)
	}
}

// TestShellUnfetched: without a worker that keeps the files, what a press wants comes from the
// server. Where it does not come, that is said, and nothing was done.
func TestShellUnfetched(t *testing.T) {
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		w := i.signIn("ana", l)
		w.allow("ERR_INTERNET_DISCONNECTED", "Failed to load resource")
		w.until("a worker", `navigator.serviceWorker.ready`)
		w.run(`navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((r) => r.unregister())))`)
		w.visit("/?worker=no#/activity")
		w.see("Export")
		w.offline(true)
		w.press("Export")
		w.see("The server was not reached. What was entered stays here")
		w.offline(false)
		w.press("Close")
		w.press("Export")
		w.see("CSV")
		w.press("Close")
		w.visit("#/import")
		w.see("Drop a bank statement here")
		w.offline(true)
		w.drops(".import-drop", statement("revolut.csv"))
		w.see("The server was not reached. What was entered stays here")
		w.offline(false)
		w.press("Try again")
		w.see("137 bookings from")
	})
}
