package accounts

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestSecretsStayOut of the audit, its steps, the log and every error, however
// the call is broken.
func TestSecretsStayOut(t *testing.T) {
	var log bytes.Buffer
	h := newHome(t, tools.Config{Log: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	const secret = "correct-horse-77"
	bob := h.As("bob")
	h.waiting("cy")
	for _, row := range []struct {
		tool, body string
	}{
		{addName, `{"handle":"eve","password":"` + secret + `"}`},
		{addName, `{"handle":"eve","password":"` + secret + `"}`}, // taken
		{addName, `{"handle":"fay","password":["` + secret + `"]}`},
		{addName, `{"handle":"fay","password":{"a":"` + secret + `"}}`},
		{addName, `{"handle":"fay","pasword":"` + secret + `"}`},
		{addName, `{"handle":"fay","password":"` + secret + `"`},
		{addName, `["` + secret + `"]`},
		{addName, `"` + secret + `"`},
		{addName, `{"handle":"fay","password":"` + secret + `","password":"x"}`},
		{addName, `{"handle":"fay","password":"` + secret + strings.Repeat("y", 2<<20) + `"}`},
		{addName, "{\"handle\":\"fay\",\"password\":\"" + secret + "\xff\"}"},
		{"nodkeep_me_password", `{"password":"` + secret + `","new":"` + secret + `"}`},
		{"nodkeep_me_password", `{"password":"a long password","new":"` + secret + strings.Repeat("z", 80) + `"}`},
		{"nodkeep_me_password", `{"password":"a long password","code":"` + secret + `","otp_id":"none","new":"` + secret + `"}`},
		{"nodkeep_me_delete", `{"password":"` + secret + `no"}`},
		{"nodkeep_me_delete", `{"code":"` + secret + `"}`},
		{"nodkeep_me_update", `{"password":"` + secret + `"}`},
		{"nodkeep_me_update", `"` + secret + `"`},
		{"nodkeep_me_pasword", `{"password":"` + secret + `"}`}, // no such tool
		{inviteName, `{"secret":"` + secret + `"}`},
	} {
		who := h.ann
		if strings.HasPrefix(row.tool, "nodkeep_me") {
			who = bob
		}
		inv := tools.Invocation{Tool: row.tool, Args: []byte(row.body)}
		p, err := h.Runner.Preview(t.Context(), who, inv)
		digest := p.Digest
		for _, item := range p.Items {
			if strings.Contains(h.say("en", item.Card), secret) {
				t.Errorf("%s shows it on its card", row.tool)
			}
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s tells it: %.200s", row.tool, err)
		}
		if _, err = h.Runner.Apply(t.Context(), who, digest, inv); err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s tells it: %.200s", row.tool, err)
		}
		if err := h.Runner.Refuse(who, inv, tools.Fail(tools.Invalid, "error.json", "x")); strings.Contains(err.Error(), secret) {
			t.Errorf("%s tells it: %.200s", row.tool, err)
		}
	}
	// A number is hardly told from another.
	_, _ = h.Runner.Apply(t.Context(), h.ann, "", tools.Invocation{Tool: addName, Args: []byte(`{"handle":"fay","password":7712345677}`)})
	for _, text := range []string{secret, "7712345677"} {
		if in := h.holding(text); len(in) > 0 {
			t.Errorf("%s stands in %v", text, in)
		}
		if strings.Contains(log.String(), text) {
			t.Errorf("%s stands in the log", text)
		}
	}
	if n := h.count("SELECT count(*) FROM nodkeep_audit WHERE args LIKE '%•••%'"); n < 5 {
		t.Errorf("that a secret was given is kept in %d entries", n)
	}
	if h.count("SELECT count(*) FROM nodkeep_audit WHERE state = 'refused' AND tool = 'nodkeep_me_pasword'") == 0 {
		t.Error("a call of a tool that does not exist left no trace")
	}
}

// TestALinkIsShownOnce: the preview's secret is the apply's, and it is kept
// nowhere but as a hash.
func TestALinkIsShownOnce(t *testing.T) {
	h := newHome(t, tools.Config{})
	cy := h.waiting("cy").Id
	seen := map[string]bool{}
	for _, row := range []struct {
		tool string
		in   args
	}{{inviteName, args{}}, {inviteName, args{}}, {resetName, args{"account": h.As("bob").Person}}, {passName, args{"account": cy}}} {
		inv := h.Call(row.tool, row.in)
		p, err := h.Runner.Preview(t.Context(), h.ann, inv)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := h.Runner.Apply(t.Context(), h.ann, p.Digest, inv)
		if err != nil {
			t.Fatal(err)
		}
		shown, made := p.Items[0].Output.(NewLink), output[NewLink](t, rec)
		if shown.Link != made.Link || shown.ID != made.ID {
			t.Errorf("%s showed %+v and made %+v", row.tool, shown, made)
		}
		secret := strings.TrimPrefix(made.Link, "https://home.example/link/")
		if len(secret) != 43 || seen[secret] {
			t.Errorf("%q", secret)
		}
		seen[secret] = true
		if in := h.holding(secret); len(in) > 0 {
			t.Errorf("the secret stands in %v", in)
		}
		if in := strings.Join(h.holding(tools.Hash(secret)), " "); in != "nodkeep_links nodkeep_steps" {
			t.Errorf("its hash stands in %s", in)
		}
		if said := h.say("en", rec.Cards[0]); strings.Contains(said, secret) || strings.Contains(said, tools.Hash(secret)) {
			t.Error(said)
		}
		if _, err := h.Runner.Apply(t.Context(), h.ann, p.Digest, inv); tools.KindOf(err) != tools.Conflict || strings.Contains(err.Error(), secret) {
			t.Error(err)
		}
	}
	links, err := h.Read(h.ann, "nodkeep_link_list", nil)
	if err != nil {
		t.Fatal(err)
	}
	for secret := range seen {
		for _, l := range links.(LinkPage).Items {
			if strings.Contains(l.ID+l.Note+l.Kind, secret) {
				t.Errorf("%+v", l)
			}
		}
	}
}

// TestOthersStayUnnamed: what an operator was refused about somebody outlasts
// that account, and so does not say who it was.
func TestOthersStayUnnamed(t *testing.T) {
	h := newHome(t, tools.Config{})
	const handle, email = "zacharias", "zz.top@example.org"
	h.must(h.ann, addName, args{"handle": handle, "email": email})
	rec, err := h.FindFirstRecordByData(tools.Members, "handle", handle)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		tool string
		in   args
	}{
		{addName, args{"handle": handle}},
		{addName, args{"handle": "other", "email": email}},
		{approveName, args{"account": rec.Id}},
		{approveName, args{"account": handle}},
		{suspendName, args{"account": email}},
		{refuseName, args{"account": rec.Id}},
		{restoreName, args{"account": rec.Id}},
		{removedName, args{"account": handle}},
		{removedName, args{"account": rec.Id}},
		{namedName, args{"account": handle + "x"}},
		{passName, args{"account": rec.Id}},
		{resetName, args{"account": handle + "y"}},
	} {
		_, err := h.Apply(h.ann, row.tool, row.in)
		if err == nil {
			t.Errorf("%s %v was not refused", row.tool, row.in)
		}
	}
	// What was done stays with the account it was done to.
	h.must(h.ann, namedName, args{"account": handle})
	h.must(h.ann, removedName, args{"account": handle})
	h.must(h.ann, resetName, args{"account": handle})
	if n := h.count("SELECT count(*) FROM nodkeep_audit WHERE args LIKE '%" + rec.Id + "%' AND state = 'refused'"); n != 5 {
		t.Errorf("%d refusals say by its id which account was meant", n)
	}
	if err := h.Delete(rec); err != nil {
		t.Fatal(err)
	}
	h.gone(rec.Id)
	for _, text := range []string{handle, email, "zz.top"} {
		if in := h.holding(text); len(in) > 0 {
			t.Errorf("%s still stands in %v", text, in)
		}
	}
}
