package upload

import (
	"encoding/base64"
	"encoding/json/v2"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
)

// bank is a statement of payments that recur monthly, by their names.
func bank(months int, names ...string) string {
	var b strings.Builder
	b.WriteString("Date,Description,Amount\n")
	for i, name := range names {
		for m := range months {
			fmt.Fprintf(&b, "%d-%02d-14,%s,-%d.99\n", 2024+m/12, m%12+1, name, i+3)
		}
	}
	return b.String()
}

func TestImport(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	agent := tools.Actor{Person: h.ann, Agent: "someagent", Door: tools.DoorMCP}
	up := h.put("bank.csv", bank(12, "NETFLIX.COM", "SPOTIFY AB"))
	review, err := h.Import(ctx, agent, ImportIn{Upload: up.ID})
	if err != nil {
		t.Fatal(err)
	}
	if review.Total != 2 || len(review.Subscriptions) != 2 || review.Next != 0 || review.File != "bank.csv" {
		t.Fatalf("%+v", review)
	}
	for i, r := range review.Subscriptions {
		if r.Row != i || len(r.Evidence) != pageEvidence || r.EvidenceMore != 12-pageEvidence || r.Evidence[0].Date.String() != "2024-12-14" || r.Status != tools.StatusNew {
			t.Errorf("%+v", r)
		}
	}
	if len(h.foreign) != 1 || h.app.Catalogue.English(h.foreign[0]) == "" {
		t.Errorf("nobody was told what was read: %v", h.foreign)
	}
	one, err := h.Import(ctx, agent, ImportIn{Upload: up.ID, Rows: []int{1}})
	if err != nil || len(one.Subscriptions) != 1 || len(one.Subscriptions[0].Evidence) != 12 || one.Subscriptions[0].EvidenceMore != 0 {
		t.Errorf("%+v %v", one, err)
	}
	for _, in := range []ImportIn{{Upload: up.ID, Rows: []int{2}}, {Upload: up.ID, Rows: []int{-1}}, {Upload: up.ID, From: -1}, {Upload: up.ID, From: 3}, {Upload: up.ID, Answers: map[string]string{"colour": "red"}}} {
		_, err := h.Import(ctx, agent, in)
		wantKind(t, err, tools.Invalid)
	}
	_, err = h.Import(ctx, tools.Actor{Person: h.id("bob"), Agent: "x"}, ImportIn{Upload: up.ID})
	wantKind(t, err, tools.NotFound)
	_, err = h.Import(ctx, agent, ImportIn{Upload: h.put("logo.png", "\x89PNG\r\n\x1a\n\x00\x00").ID})
	wantKind(t, err, tools.Invalid)
	if h.foreign = nil; true {
		if _, err := h.Import(ctx, tools.Actor{Person: h.ann}, ImportIn{Upload: up.ID}); err != nil || h.foreign != nil {
			t.Errorf("a person is no agent: %v %v", err, h.foreign)
		}
	}
}

// TestImportInParts: what is left out is counted, and all of it can be had.
func TestImportInParts(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	var names []string
	for i := range 60 {
		names = append(names, strings.Repeat(string(rune('A'+i%26)), 3+i/26)+" SERVICES")
	}
	junk := strings.Repeat("no booking,at all,here\n", 30)
	up := h.put("bank.csv", bank(6, names...)+junk)
	a := tools.Actor{Person: h.ann}
	seen := map[int]bool{}
	parts, from := 0, 0
	for {
		review, err := h.Import(ctx, a, ImportIn{Upload: up.ID, From: from})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(review.Skipped) + review.SkippedMore; n != 30 || (from == 0) != (len(review.Skipped) == pageLines) {
			t.Errorf("from %d: %d skipped, %d more", from, len(review.Skipped), review.SkippedMore)
		}
		for _, r := range review.Subscriptions {
			seen[r.Row] = true
		}
		if parts++; review.Next == 0 {
			if len(seen) != review.Total {
				t.Errorf("%d of %d rows were seen", len(seen), review.Total)
			}
			break
		}
		from = review.Next
	}
	if parts != 3 {
		t.Errorf("%d parts", parts)
	}
	review, err := h.Import(ctx, a, ImportIn{Upload: up.ID, Lines: true})
	if err != nil || len(review.Skipped) != 30 || review.SkippedMore != 0 {
		t.Errorf("%d %v", len(review.Skipped), err)
	}
}

// resolved makes a call as an agent's and gives back its arguments.
func (h *home) resolved(tool, args string) (string, error) {
	h.t.Helper()
	inv, err := h.Resolve(h.t.Context(), tools.Actor{Person: h.ann, Agent: "x"}, tools.Invocation{Tool: tool, Args: []byte(args)})
	return string(inv.Args), err
}

func TestRowsByNumber(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	up := h.put("bank.csv", bank(12, "NETFLIX.COM", "SPOTIFY AB", "GYM CLUB"))
	args, err := h.resolved("bank_apply", `{"upload":"`+up.ID+`","subscriptions":[{"row":0},{"row":2,"merchant":"The gym"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	var rows tools.ImportRows
	if err := json.Unmarshal([]byte(args), &rows, json.RejectUnknownMembers(true)); err != nil {
		t.Fatal(err)
	}
	if l := rows.Subscriptions; rows.File != "bank.csv" || len(rows.Fingerprint) != 64 || len(l) != 2 || len(l[0].Evidence) != 12 || l[0].Amount != "3.99" || l[1].Merchant != "The gym" || l[1].Amount != "5.99" {
		t.Errorf("%s", args)
	}
	if _, err := h.app.Runner.Apply(ctx, tools.Actor{Person: h.ann, Door: tools.DoorWeb}, "", tools.Invocation{Tool: "bank_apply", Args: []byte(args)}); err != nil {
		t.Errorf("the tool does not take it: %v", err)
	}
	// Without an upload nothing is changed.
	const plain = `{"file":"x","subscriptions":[{"row":1}]}`
	if args, err := h.resolved("bank_apply", plain); err != nil || args != plain {
		t.Errorf("%s %v", args, err)
	}
	open := h.put("open.csv", "Date,Description,Amount\n01/02/2026,NETFLIX.COM,-15.99\n01/03/2026,NETFLIX.COM,-15.99\n01/04/2026,NETFLIX.COM,-15.99\n01/05/2026,NETFLIX.COM,-15.99\n")
	for args, kind := range map[string]tools.Kind{
		`{"upload":"` + up.ID + `"}`:                                                 tools.Invalid,
		`{"upload":"` + up.ID + `","subscriptions":[{"merchant":"x"}]}`:              tools.Invalid,
		`{"upload":"` + up.ID + `","subscriptions":[{"row":3}]}`:                     tools.Invalid,
		`{"upload":"` + up.ID + `","subscriptions":[{"row":-1}]}`:                    tools.Invalid,
		`{"upload":"` + up.ID + `","subscriptions":[{"row":"one"}]}`:                 tools.Invalid,
		`{"upload":"` + up.ID + `","subscriptions":[{"row":1},{"row":1}]}`:           tools.Invalid,
		`{"upload":"` + up.ID + `","subscriptions":[1]}`:                             tools.Invalid,
		`{"upload":["` + up.ID + `"],"subscriptions":[{"row":1}]}`:                   tools.Invalid,
		`{"upload":"` + open.ID + `","subscriptions":[{"row":0}]}`:                   tools.Invalid,
		`{"upload":"nothere00000000","subscriptions":[{"row":0}]}`:                   tools.NotFound,
		`{"upload":"` + up.ID + `","answers":{"a":"b"},"subscriptions":[{"row":0}]}`: tools.Invalid,
	} {
		_, err := h.resolved("bank_apply", args)
		if tools.KindOf(err) != kind || err == nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestFilesByUpload(t *testing.T) {
	h := newHome(t)
	up := h.put("logo.png", "picture")
	args, err := h.resolved("bank_picture", `{"id":"abc","logo":{"upload":"`+up.ID+`"}}`)
	if want := `{"id":"abc","logo":{"name":"logo.png","data":"` + base64.StdEncoding.EncodeToString([]byte("picture")) + `"}}`; err != nil || args != want {
		t.Errorf("%s %v", args, err)
	}
	args, err = h.resolved("bank_picture", `{"all":[{"logo":{"upload":"`+up.ID+`"}}]}`)
	if want := `{"all":[{"logo":{"name":"logo.png","data":"` + base64.StdEncoding.EncodeToString([]byte("picture")) + `"}}]}`; err != nil || args != want {
		t.Errorf("%s %v", args, err)
	}
	args, err = h.resolved("bank_rates", `{"file":{"upload":"`+h.put("rates.csv", "Date,USD\n").ID+`"}}`)
	if err != nil || args != `{"file":"Date,USD\n"}` {
		t.Errorf("%s %v", args, err)
	}
	for args, kind := range map[string]tools.Kind{
		`{"logo":{"upload":"nothere00000000"}}`:                  tools.NotFound,
		`{"logo":{"upload":7}}`:                                  tools.Invalid,
		`{"logo":{"upload":"` + up.ID + `","name":"other.png"}}`: tools.Invalid,
	} {
		_, err := h.resolved("bank_picture", args)
		if tools.KindOf(err) != kind || err == nil {
			t.Errorf("%s: %v", args, err)
		}
	}
	_, err = h.resolved("bank_rates", `{"file":{"upload":"`+h.put("rates.csv", "\xff\xfe\x00").ID+`"}}`)
	wantKind(t, err, tools.Invalid)
	bobs, err := h.Put(t.Context(), h.id("bob"), 1, body("b", "x"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.resolved("bank_picture", `{"logo":{"upload":"`+bobs.ID+`"}}`)
	wantKind(t, err, tools.NotFound)
	// What the tool takes itself, and what it does not take at all, stays.
	for _, same := range []string{`{"logo":{"name":"a","data":"eA=="}}`, `{"logo":7}`, `[]`, `"x"`, `{`, `{"clear":true}`} {
		if args, err := h.resolved("bank_picture", same); err != nil || args != same {
			t.Errorf("%s became %s, %v", same, args, err)
		}
	}
}

// TestSchemas: agents are asked for an upload wherever a tool takes a file, and
// what the tool itself takes stays as it is.
func TestSchemas(t *testing.T) {
	h := newHome(t)
	changed := map[string]bool{}
	for _, tool := range h.app.Registry.Tools() {
		before, err := json.Marshal(tool.Input)
		if err != nil {
			t.Fatal(err)
		}
		s := h.Schema(tool)
		after, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		changed[tool.Name] = string(before) != string(after)
		if strings.Contains(string(after), "base64") || strings.Contains(string(after), "contentMediaType") {
			t.Errorf("%s takes a content: %s", tool.Name, after)
		}
		if again, _ := json.Marshal(tool.Input); string(again) != string(before) {
			t.Errorf("%s was changed", tool.Name)
		}
		if _, err := s.CloneSchemas().Resolve(&jsonschema.ResolveOptions{}); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
	}
	for name, is := range changed {
		if want := name == "bank_picture" || name == "bank_rates" || name == "bank_apply"; is != want {
			t.Errorf("%s: changed %v", name, is)
		}
	}
}

// TestOpenQuestions: rows are not taken of a file that leaves something open,
// until it is answered.
func TestOpenQuestions(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	var b strings.Builder
	b.WriteString("Date,Description,Amount\n")
	for m := range 12 {
		fmt.Fprintf(&b, "05/%02d/2025,NETFLIX.COM,-3.99\n", m+1)
	}
	up := h.put("bank.csv", b.String())
	review, err := h.Import(ctx, tools.Actor{Person: h.ann, Agent: "someagent", Door: tools.DoorMCP}, ImportIn{Upload: up.ID})
	if err != nil || len(review.Questions) == 0 {
		t.Fatalf("%+v %v", review, err)
	}
	_, err = h.resolved("bank_apply", `{"upload":"`+up.ID+`","subscriptions":[{"row":0}]}`)
	wantKind(t, err, tools.Invalid)
	if own := new(tools.Error); !errors.As(err, &own) || own.Text.Key != "uploads.questions" {
		t.Errorf("it is not said what is open: %v", err)
	}
	answers := map[string]string{}
	for _, q := range review.Questions {
		answers[q.ID] = q.Choices[0]
	}
	said, err := json.Marshal(answers)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.resolved("bank_apply", `{"upload":"`+up.ID+`","answers":`+string(said)+`,"subscriptions":[{"row":0}]}`); err != nil {
		t.Errorf("with answers: %v", err)
	}
}
