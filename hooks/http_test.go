package hooks

import (
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

func TestWhoMayCall(t *testing.T) {
	i := newInstance(t)
	super, ann := i.superuser(), i.token("ann")
	waiting := i.user("bob")
	waiting.Set("status", "suspended")
	if err := i.pb.Save(waiting); err != nil {
		t.Fatal(err)
	}
	bob, err := waiting.NewAuthToken()
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name, token string
		status      int
		kind        tools.Kind
		audited     int // a refused write
	}{
		{"guest", "", 401, tools.Unauthorized, 0},
		{"rubbish", "Bearer x.y.z", 401, tools.Unauthorized, 0},
		{"superuser", super, 403, tools.Forbidden, 1},
		{"suspended", bob, 401, tools.Unauthorized, 0},
		{"member", ann, 200, "", 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for _, r := range [][3]string{
				{"GET", "/tools"},
				{"GET", "/tools/household_price_set/form"},
				{"GET", "/audit"},
				{"GET", "/me"},
				{"POST", "/tools/household_overview", "{}"},
				{"POST", "/tools/household_category_add?preview=1", `{"name":"x"}`},
			} {
				status, a := i.web(r[0], prefix+r[1], row.token, r[2])
				want(t, status, a, row.status, row.kind)
			}
			before := i.entries()
			status, a := i.call("household_category_add", row.token, `{"name":"Books"}`)
			want(t, status, a, row.status, row.kind)
			if got := i.entries() - before; got != row.audited {
				t.Errorf("%d audit entries, want %d", got, row.audited)
			}
		})
	}
}

func TestNothingFromTheNetworkIsLocal(t *testing.T) {
	i := newInstance(t)
	for _, r := range [][2]string{{"GET", "/local/accounts"}, {"POST", "/local/accounts"}, {"GET", "/local/audit"}, {"POST", "/local/audit"}, {"GET", "/local/checks"}} {
		for _, token := range []string{"", i.token("ann"), i.superuserOnce()} {
			status, a := i.web(r[0], prefix+r[1], token, "", asHeader, "ann")
			want(t, status, a, 404, tools.NotFound)
		}
	}
	status, a := i.call("household_overview", "", "", asHeader, "ann")
	want(t, status, a, 401, tools.Unauthorized)
	// and a token is nothing to a command
	status, a = i.local("POST", "/tools/household_overview", "", "", "Authorization", i.token("ann"))
	want(t, status, a, 401, tools.Unauthorized)
	for _, as := range []string{"nobody", "root@example.com", "ann@example.org"} {
		status, a = i.local("POST", "/tools/household_overview", as, "")
		want(t, status, a, 401, tools.Unauthorized)
	}
	for _, as := range []string{"ann", "ANN", "ann@example.com"} {
		status, a = i.local("POST", "/tools/household_overview", as, "")
		want(t, status, a, 200, "")
	}
}

func (i *instance) superuserOnce() string {
	if rec, err := i.pb.FindAuthRecordByEmail(core.CollectionNameSuperusers, "root@example.com"); err == nil {
		token, _ := rec.NewAuthToken()
		return token
	}
	return i.superuser()
}

func TestBadInput(t *testing.T) {
	i := newInstance(t)
	ann, bob := i.token("ann"), i.token("bob")
	private, _ := i.add(bob, "Secret", `,"private":true`)
	big := `{"name":"` + strings.Repeat("x", 5<<20) + `"}`
	rows := []struct {
		name, tool, body, media string
		status                  int
		kind                    tools.Kind
	}{
		{"malformed", "household_category_add", `{"name":`, "", 400, tools.Invalid},
		{"no object", "household_category_add", `[1]`, "", 400, tools.Invalid},
		{"wrong type", "household_category_add", `{"name":7}`, "", 400, tools.Invalid},
		{"unknown field", "household_category_add", `{"name":"x","colour":"red"}`, "", 400, tools.Invalid},
		{"nothing", "household_category_add", ``, "", 400, tools.Invalid},
		{"a form", "household_category_add", `name=x`, "application/x-www-form-urlencoded", 400, tools.Invalid},
		{"JSON that says it is text", "household_category_add", `{"name":"x"}`, "text/plain", 400, tools.Invalid},
		{"no media type at all", "household_category_add", `{"name":"x"}`, "x", 400, tools.Invalid},
		{"not UTF-8", "household_category_add", "{\"name\":\"\xff\"}", "", 400, tools.Invalid},
		{"5 MB", "household_category_add", big, "", 413, tools.TooLarge},
		{"unknown tool", "household_fly", `{}`, "", 404, tools.NotFound},
		{"odd tool", "..%2f%00", `{}`, "", 404, tools.NotFound},
		{"missing record", "household_subscription_update", `{"id":"aaaaaaaaaaaaaaa","name":"x"}`, "", 404, tools.NotFound},
		{"somebody else's", "household_subscription_update", `{"id":"` + private + `","name":"x"}`, "", 404, tools.NotFound},
		{"somebody else's, deleted", "household_subscription_delete", `{"id":"` + private + `"}`, "", 404, tools.NotFound},
		{"no digest of ours", "household_category_add", `{"name":"x"}`, "digest", 400, tools.Invalid},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			before := i.entries()
			var headers []string
			switch row.media {
			case "":
			case "digest":
				headers = []string{digestHeader, "made up"}
			default:
				headers = []string{"Content-Type", row.media}
			}
			status, a := i.call(row.tool, ann, row.body, headers...)
			want(t, status, a, row.status, row.kind)
			if got := i.entries() - before; got != 1 {
				t.Errorf("%d audit entries, want 1", got)
			}
			// A preview of it writes not even that.
			status, a = i.call(row.tool+"?preview=1", ann, row.body, headers...)
			if row.media != "digest" {
				want(t, status, a, row.status, row.kind)
			}
			if got := i.entries() - before; got != 1 {
				t.Errorf("a preview left a trace")
			}
		})
	}
	status, a := i.call("household_category_list", ann, "")
	want(t, status, a, 200, "")
	if strings.Contains(a.String(), `"x"`) {
		t.Error("something was written")
	}
	for _, path := range []string{"/nope", "/tools/", "/tools/a/b", "/undo/x", "/texts/fr", "/local"} {
		status, a := i.web("GET", prefix+path, ann, "")
		want(t, status, a, 404, tools.NotFound)
	}
	status, a = i.web("DELETE", prefix+"/tools", ann, "")
	want(t, status, a, 404, tools.NotFound)
	for _, q := range []string{"limit=x", "limit=0", "limit=1000", "since=yesterday", "cursor=x"} {
		status, a := i.web("GET", prefix+"/audit?"+q, ann, "")
		want(t, status, a, 400, tools.Invalid)
	}
}

func TestListTools(t *testing.T) {
	i := newInstance(t)
	status, a := i.web("GET", prefix+"/tools", i.token("ann"), "", "Accept-Language", "de")
	want(t, status, a, 200, "")
	all := i.registry.Tools()
	members := slices.DeleteFunc(slices.Clone(all), func(t tools.Tool) bool { return t.Operator })
	if a.len("items") != len(members) || len(members) == len(all) || a.at("next") != "" {
		t.Errorf("got %d tools", a.len("items"))
	}
	i.makeOperator("ann")
	if _, a := i.web("GET", prefix+"/tools", i.token("ann"), ""); a.len("items") != len(all) {
		t.Errorf("an operator got %d tools", a.len("items"))
	}
	for _, field := range []string{"name", "title", "help", "effect", "core", "input", "output"} {
		if a.at("items", "0", field) == nil {
			t.Errorf("%s is missing", field)
		}
	}
	if a.str("items", "0", "input", "type") != "object" {
		t.Error("the input is no schema")
	}
}

// TestToolForm: a tool with what people call its parts, for who may use it; what
// models read stays.
func TestToolForm(t *testing.T) {
	i := newInstance(t)
	form := prefix + "/tools/household_subscription_list/form"
	status, a := i.web("GET", form, i.token("ann"), "", "Accept-Language", "de")
	want(t, status, a, 200, "")
	for path, want := range map[string]string{
		"title":                                                            "Abos",
		"input properties sort title":                                      "Reihenfolge",
		"input properties sort hint":                                       "Ohne Angabe nach Namen.",
		"input properties category title":                                  "Kategorie",
		"input properties sort labels per_month":                           "teuerste zuerst",
		"input properties sort description":                                "name by default; per_month: dearest first",
		"output properties items items properties next_charge title":       "Nächste Abbuchung",
		"output properties items items properties status labels cancelled": "gekündigt",
	} {
		if got := a.str(strings.Fields(path)...); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	_, a = i.web("GET", form, i.token("ann"), "", "Accept-Language", "es")
	if got := a.str("input", "properties", "category", "title"); got != "Categoría" {
		t.Errorf("in Spanish: %q", got)
	}
	_, a = i.web("GET", prefix+"/tools", i.token("ann"), "", "Accept-Language", "de")
	if strings.Contains(a.String(), "Reihenfolge") {
		t.Error("the list has the words of forms")
	}
	for _, name := range []string{"household_fly", "nodkeep_account_approve"} {
		status, a := i.web("GET", prefix+"/tools/"+name+"/form", i.token("ann"), "")
		want(t, status, a, 404, tools.NotFound)
	}
	i.makeOperator("ann")
	status, a = i.web("GET", prefix+"/tools/nodkeep_account_approve/form", i.token("ann"), "")
	want(t, status, a, 200, "")
}

func TestLanguages(t *testing.T) {
	i := newInstance(t)
	said := func(headers ...string) string {
		_, a := i.call("household_fly", i.token("ann"), "{}", headers...)
		return a.str("message")
	}
	english := said()
	german := said("Accept-Language", "de-AT, en;q=0.5")
	if english == "" || german == english {
		t.Errorf("%q and %q", english, german)
	}
	rec := i.user("ann")
	rec.Set("language", "de")
	if err := i.pb.Save(rec); err != nil {
		t.Fatal(err)
	}
	if got := said(); got != german {
		t.Errorf("the profile's language: %q", got)
	}
	if got := said("Accept-Language", "es"); got == german || got == english {
		t.Errorf("the header goes before the profile: %q", got)
	}
	for _, lang := range []string{"en", "de", "es"} {
		status, a := i.web("GET", prefix+"/texts/"+lang, "", "")
		want(t, status, a, 200, "")
		if a.str("http.sign_in") == "" || a.at("household.title.overview") == nil {
			t.Errorf("%s: %.200s", lang, a)
		}
	}
}

func TestApplyWithAndWithoutDigest(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	id, _ := i.add(ann, "Netflix", "")

	// A plain write runs; its preview changes nothing and shows the same.
	args := `{"id":"` + id + `","name":"Netflix 4K"}`
	status, p := i.call("household_subscription_update?preview=1", ann, args)
	want(t, status, p, 200, "")
	for _, field := range []string{"output", "card", "changes", "unseen", "money", "digest", "expires", "effect"} {
		if p.at(field) == nil {
			t.Errorf("the preview has no %s", field)
		}
	}
	if at, err := time.Parse(time.RFC3339, p.str("expires")); err != nil || at.Location() != time.UTC {
		t.Errorf("expires: %v, %v", at, err)
	}
	status, a := i.call("household_subscription_update", ann, args, digestHeader, p.str("digest"))
	want(t, status, a, 200, "")
	if diff := cmp.Diff(p.at("changes"), a.at("receipt", "changes")); diff != "" {
		t.Errorf("applied something else than was shown: %s", diff)
	}
	entry := a.str("receipt", "audit", "0")

	// The digest works once, and a retry is told the receipt.
	status, a = i.call("household_subscription_update", ann, args, digestHeader, p.str("digest"))
	want(t, status, a, 409, tools.Conflict)
	if a.str("data", "audit", "0") != entry {
		t.Errorf("the retry is not told the entry %s: %s", entry, a)
	}

	// Destroying needs to have been shown.
	del := `{"id":"` + id + `"}`
	before := i.entries()
	status, a = i.call("household_subscription_delete", ann, del)
	want(t, status, a, 409, tools.DigestRequired)
	digest := a.str("data", "digest")
	if digest == "" || a.at("data", "card", "grave") != true || a.len("data", "changes") == 0 || i.entries() != before {
		t.Fatalf("no preview beside the refusal, or a trace of it: %s", a)
	}

	// What changed since makes it stale.
	i.call("household_subscription_update", ann, `{"id":"`+id+`","name":"Other"}`)
	status, a = i.call("household_subscription_delete", ann, del, digestHeader, digest)
	want(t, status, a, 409, tools.Stale)

	// Of another person it is nothing.
	_, a = i.call("household_subscription_delete", ann, del)
	digest = a.str("data", "digest")
	status, a = i.call("household_subscription_delete", i.token("bob"), del, digestHeader, digest)
	want(t, status, a, 409, tools.Stale)
	status, a = i.call("household_subscription_delete", ann, del, digestHeader, digest)
	want(t, status, a, 200, "")
	status, a = i.call("household_subscription_get", ann, del)
	want(t, status, a, 404, tools.NotFound)
}

// TestPreviewIsMeant: whoever names preview wants one, however they write yes.
func TestPreviewIsMeant(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	before := i.entries()
	for _, q := range []string{"preview=1", "preview=yes", "preview=True", "preview=on", "preview=", "preview", "preview=0&preview=1"} {
		status, a := i.call("household_category_add?"+q, ann, `{"name":"Books"}`)
		want(t, status, a, 200, "")
		if a.str("digest") == "" || i.entries() != before {
			t.Fatalf("%s applies", q)
		}
	}
	for n, q := range []string{"preview=0", "preview=false", "previews=1", ""} {
		_, a := i.call("household_category_add?"+q, ann, `{"name":"Books `+string(rune('a'+n))+`"}`)
		if a.at("receipt") == nil {
			t.Errorf("%s does not apply: %s", q, a)
		}
	}
}

func TestWhatIsWrongWithABodyIsSaid(t *testing.T) {
	i := newInstance(t)
	for body, message := range map[string]string{
		`{"audit":"x"}`:               "The arguments do not fit: audit must be a list in brackets.",
		`{"audit":[1]}`:               "The arguments do not fit: audit.0 must be a text in quotation marks.",
		`[]`:                          "The arguments do not fit: the body must be an object in braces.",
		`{"all":true}`:                "The arguments do not fit: all is unknown.",
		`{"agent":"a","agent":"b"}`:   "The arguments do not fit: agent is there twice.",
		`{"audit":[`:                  "The body is not JSON: it goes wrong after 10 bytes.",
		`{"agent":"a","since":false}`: "The arguments do not fit: since must be a text in quotation marks.",
	} {
		status, a := i.web("POST", prefix+"/undo", i.token("ann"), body)
		want(t, status, a, 400, tools.Invalid)
		if a.str("message") != message {
			t.Errorf("%s: %q, want %q", body, a.str("message"), message)
		}
		_, german := i.web("POST", prefix+"/undo", i.token("ann"), body, "Accept-Language", "de")
		if german.str("message") == message || strings.Contains(german.str("message"), " must ") {
			t.Errorf("%s: %q is English inside", body, german.str("message"))
		}
	}
}

func TestPostIsSaid(t *testing.T) {
	i := newInstance(t)
	for _, path := range []string{"/tools/household_overview", "/undo", "/import"} {
		status, a := i.web("GET", prefix+path, i.token("ann"), "")
		want(t, status, a, 400, tools.Invalid)
		if !strings.Contains(a.str("message"), "POST") {
			t.Errorf("%s", a)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	i := newInstance(t)
	for name, like := range map[string]string{
		"household_overveiw": "household_overview", "subscription_list": "household_subscription_list", "household_subscription_lst": "household_subscription_list",
		"garden_bed_add": "", "x": "", "household_": "",
	} {
		if got := i.like(name); got != like {
			t.Errorf("%s: %q, want %q", name, got, like)
		}
	}
	status, a := i.call("household_overveiw", i.token("ann"), "{}")
	want(t, status, a, 404, tools.NotFound)
	if a.str("message") != "There is no tool household_overveiw. Did you mean household_overview?" {
		t.Errorf("%s", a)
	}
}

func TestExpiredDigest(t *testing.T) {
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) { a.ticket = time.Nanosecond })
	ann := i.token("ann")
	_, p := i.call("household_category_add?preview=1", ann, `{"name":"Late"}`)
	status, a := i.call("household_category_add", ann, `{"name":"Late"}`, digestHeader, p.str("digest"))
	want(t, status, a, 410, tools.Expired)
}

func TestStaticTokensCannotConfirm(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	static, err := i.user("ann").NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	status, im := i.web("POST", "/api/collections/users/impersonate/"+i.user("ann").Id, i.superuserOnce(), `{"duration":600}`)
	want(t, status, im, 200, "")
	id, audit := i.add(ann, "Netflix", "")
	for name, token := range map[string]string{"static": static, "bearer": "Bearer " + static, "impersonated": im.str("token")} {
		status, a := i.call("household_subscription_delete", token, `{"id":"`+id+`"}`)
		want(t, status, a, 409, tools.DigestRequired)
		before := i.entries()
		status, a = i.call("household_subscription_delete", token, `{"id":"`+id+`"}`, digestHeader, a.str("data", "digest"))
		want(t, status, a, 403, tools.Forbidden)
		if i.entries() != before+1 {
			t.Errorf("%s: the refusal left no trace", name)
		}
		status, a = i.web("POST", prefix+"/undo", token, `{"audit":["`+audit+`"]}`)
		want(t, status, a, 409, tools.DigestRequired)
		status, a = i.web("POST", prefix+"/undo", token, `{"audit":["`+audit+`"]}`, digestHeader, a.str("data", "digest"))
		want(t, status, a, 403, tools.Forbidden)
	}
	if status, _ := i.call("household_subscription_get", ann, `{"id":"`+id+`"}`); status != 200 {
		t.Error("it is gone")
	}
	// One that a person signed in for can.
	status, in := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"ann","password":"a long password"}`)
	want(t, status, in, 200, "")
	_, a := i.call("household_subscription_delete", in.str("token"), `{"id":"`+id+`"}`)
	status, a = i.call("household_subscription_delete", in.str("token"), `{"id":"`+id+`"}`, digestHeader, a.str("data", "digest"))
	want(t, status, a, 200, "")
}

func TestUndo(t *testing.T) {
	i := newInstance(t)
	ann, bob := i.token("ann"), i.token("bob")
	id, added := i.add(ann, "Netflix", "")
	_, a := i.call("household_subscription_update", ann, `{"id":"`+id+`","notes":"for the kids"}`)
	update := a.str("receipt", "audit", "0")
	undo := func(token, body string, headers ...string) (int, answer) {
		return i.web("POST", prefix+"/undo", token, body, headers...)
	}

	status, p := i.web("POST", prefix+"/undo?preview=1", ann, `{"audit":["`+update+`"]}`)
	want(t, status, p, 200, "")
	status, a = undo(ann, `{"audit":["`+update+`"]}`, digestHeader, p.str("digest"))
	want(t, status, a, 200, "")
	redo := a.str("audit", "0")
	if redo == "" || a.len("changes") != 1 || a.at("undo_until") == nil {
		t.Errorf("no receipt: %s", a)
	}
	status, a = undo(ann, `{"audit":["`+update+`"]}`)
	want(t, status, a, 409, tools.Conflict)
	status, a = undo(ann, `{"audit":["`+redo+`"]}`)
	want(t, status, a, 200, "")

	// Undoing what made the record meets what was changed since.
	status, a = undo(ann, `{"audit":["`+added+`"]}`)
	want(t, status, a, 409, tools.Conflict)
	if a.len("data", "conflicts") == 0 || a.str("data", "conflicts", "0", "id") != id || a.str("data", "conflicts", "0", "label") == "" || a.len("data", "conflicts", "0", "labels") == 0 {
		t.Errorf("no conflicts: %s", a)
	}

	for _, row := range []struct {
		token, body string
		status      int
		kind        tools.Kind
	}{
		{"", `{"audit":["x"]}`, 401, tools.Unauthorized},
		{ann, `{"audit":["aaaaaaaaaaaaaaa"]}`, 404, tools.NotFound},
		{ann, `{}`, 400, tools.Invalid},
		{ann, `{"audit":"x"}`, 400, tools.Invalid},
		{ann, `{"audit":[`, 400, tools.Invalid},
		{ann, `{"all":true}`, 400, tools.Invalid},
		{ann, `{"agent":"nobody","since":"yesterday"}`, 400, tools.Invalid},
		{ann, `{"agent":"nobody"}`, 404, tools.NotFound},
		{bob, `{"audit":["` + privateEntry(i, ann) + `"]}`, 404, tools.NotFound},
	} {
		before := i.entries()
		status, a := undo(row.token, row.body)
		want(t, status, a, row.status, row.kind)
		if got := i.entries() - before; row.token != "" && got != 1 {
			t.Errorf("%s: %d audit entries, want 1", row.body, got)
		}
	}
}

func TestSinceIsSaid(t *testing.T) {
	i := newInstance(t)
	for _, r := range [][3]string{{"POST", "/undo", `{"agent":"x","since":"yesterday"}`}, {"GET", "/audit?since=yesterday", ""}} {
		status, a := i.web(r[0], prefix+r[1], i.token("ann"), r[2])
		want(t, status, a, 400, tools.Invalid)
		if a.str("data", "text", "key") != "http.since" {
			t.Errorf("%s", a)
		}
	}
}

func privateEntry(i *instance, token string) string {
	_, audit := i.add(token, "Hidden", `,"private":true`)
	return audit
}

func TestAudit(t *testing.T) {
	i := newInstance(t)
	ann, bob := i.token("ann"), i.token("bob")
	i.add(ann, "Netflix", "")
	secret := privateEntry(i, ann)
	i.call("household_subscription_update", ann, `{"id":"none"}`)
	status, a := i.web("GET", prefix+"/audit?limit=2", ann, "")
	want(t, status, a, 200, "")
	if a.len("items") != 2 || a.str("next") == "" || a.str("items", "0", "state") != "refused" || a.str("items", "1", "actor", "door") != "web" {
		t.Errorf("%s", a)
	}
	_, rest := i.web("GET", prefix+"/audit?limit=50&cursor="+a.str("next"), ann, "")
	if rest.len("items") == 0 || rest.str("next") != "" {
		t.Errorf("%s", rest)
	}
	_, a = i.web("GET", prefix+"/audit", bob, "")
	if strings.Contains(a.String(), secret) {
		t.Error("bob sees an entry of a private subscription")
	}
	_, a = i.web("GET", prefix+"/audit?tool=household_category_add", ann, "")
	if a.len("items") != 0 {
		t.Errorf("%s", a)
	}
	_, v := i.local("GET", "/local/audit", "", "")
	if v.at("ok") != true {
		t.Errorf("%s", v)
	}
}

func TestPage(t *testing.T) {
	i := newInstance(t)
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), "Nodkeep") {
		t.Fatal(w.Code, w.Body)
	}
	for _, h := range []string{"Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options", "X-Frame-Options"} {
		if w.Header().Get(h) == "" {
			t.Errorf("no %s", h)
		}
	}
	status, a := i.web("GET", "/nothing", "", "")
	if status != 404 {
		t.Error(status, a)
	}
}

// TestPageLeadsOn: to a sign-up only where somebody is there to approve it, and
// back to where one waits.
func TestPageLeadsOn(t *testing.T) {
	rows := []struct {
		signUp string
		empty  bool
		links  []string
	}{
		{"approval", true, nil},
		{"approval", false, []string{signUpPath, waitingPath}},
		{"open", true, []string{signUpPath}},
		{"closed", false, nil},
	}
	for _, row := range rows {
		i := newInstance(t, "NODKEEP_SIGN_UP="+row.signUp)
		if row.empty {
			i.stand("ann", accounts.Waiting)
			i.stand("bob", accounts.Waiting)
		}
		w := httptest.NewRecorder()
		i.handler.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		for _, path := range []string{signUpPath, waitingPath} {
			if got := strings.Contains(w.Body.String(), `href="`+path+`"`); got != slices.Contains(row.links, path) {
				t.Errorf("%s, nobody there %v: %s is linked: %v", row.signUp, row.empty, path, got)
			}
		}
	}
}

func TestTakenRouteStopsTheStart(t *testing.T) {
	i := newInstance(t)
	r, err := apis.NewRouter(i.pb)
	if err != nil {
		t.Fatal(err)
	}
	r.GET(prefix+"/tools", func(*core.RequestEvent) error { return nil })
	if err := i.bindRoutes(r); err == nil || !strings.Contains(err.Error(), "GET /api/nodkeep/tools") {
		t.Errorf("got %v", err)
	}
}

func TestDeletedAccountIsErased(t *testing.T) {
	i := newInstance(t)
	ann := i.user("ann")
	i.add(i.token("ann"), "Netflix", "")
	if err := i.pb.Delete(ann); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM nodkeep_audit WHERE person = '" + ann.Id + "' AND salt != ''").Row(&n); err != nil || n != 0 {
		t.Errorf("%d entries of a person who is gone, %v", n, err)
	}
	_, v := i.local("GET", "/local/audit", "", "")
	if v.at("ok") != true {
		t.Errorf("%s", v)
	}
}

func TestRetention(t *testing.T) {
	i := newInstance(t, "NODKEEP_AUDIT_DAYS=60")
	i.add(i.token("ann"), "Netflix", "")
	i.retain(t.Context(), time.Now().AddDate(0, 0, 59))
	_, v := i.local("GET", "/local/audit", "", "")
	if v.at("erased") != 0.0 {
		t.Errorf("too early: %s", v)
	}
	i.retain(t.Context(), time.Now().AddDate(0, 0, 61))
	_, v = i.local("GET", "/local/audit", "", "")
	if v.at("ok") != true || v.at("erased") == 0.0 {
		t.Errorf("%s", v)
	}
}

// TestRetryAfter: whole seconds, and never too few.
func TestRetryAfter(t *testing.T) {
	i := newInstance(t)
	for after, want := range map[time.Duration]string{0: "", time.Millisecond: "1", 1500 * time.Millisecond: "2", time.Minute: "60"} {
		w := httptest.NewRecorder()
		e := &core.RequestEvent{App: i.pb, Event: router.Event{Response: w, Request: httptest.NewRequest("POST", prefix+"/ask", nil)}}
		if err := i.fail(e, tools.Fail(tools.Limit, "limit.busy").In(after)); err != nil || w.Code != 429 || w.Header().Get("Retry-After") != want {
			t.Errorf("%s: %d %v %v", after, w.Code, w.Header(), err)
		}
	}
}
