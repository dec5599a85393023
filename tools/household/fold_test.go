package household

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

func TestUnhidden(t *testing.T) {
	rows := []struct{ in, want string }{
		{"Netflix", "Netflix"},
		{"a\u202eb\u2066c\u2069d\u200be\ufefff\u00adg", "abcdefg"},
		{"\u200b\u200d\u200c\u2060\u3164\u2800", ""},
		{"👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		{"می\u200cخواهم", "می\u200cخواهم"},
		{"\u200da\u200d \u200db\u200d\u200d", "a b"},
		{"a\u200d\u200db", "a\u200db"},
		{"a\U000E0041b", "ab"}, // tags are read by models and seen by nobody
	}
	for _, r := range rows {
		if got := unhidden(r.in); got != r.want {
			t.Errorf("%q became %q, want %q", r.in, got, r.want)
		}
	}
}

func FuzzTidied(f *testing.F) {
	f.Add("a\u200d\u202eb")
	f.Fuzz(func(t *testing.T, s string) {
		once := tidied(s, 50)
		if again := tidied(once, 50); again != once {
			t.Errorf("%q became %q, then %q", s, once, again)
		}
		if len([]rune(once)) > 50 || strings.ContainsAny(once, "\u202e\u2066\n\u200b") {
			t.Errorf("%q became %q", s, once)
		}
	})
}

func TestNamesAreCleaned(t *testing.T) {
	a := newHome(t)
	out := add(t, a, "ann", args{"name": "\u202exilf\u2066teN\u200b", "notes": "a\u202e\nb", "merchant": "N\u200bF", "tags": []string{"fa\u200bmily"}})
	if out.Name != "xilfteN" || out.Notes != "a\nb" || out.Merchant != "NF" || !cmp.Equal(out.Tags, []string{"family"}) {
		t.Errorf("%+v", out.Subscription)
	}
	if got := add(t, a, "ann", args{"name": "👨\u200d👩\u200d👧 club"}).Name; got != "👨\u200d👩\u200d👧 club" {
		t.Errorf("%q", got)
	}
	refused(t, a, "household_subscription_update", args{"id": out.ID, "name": "\u200b"}, tools.Invalid, "name", "empty")
	refused(t, a, "household_category_add", args{"name": "\u2069"}, tools.Invalid, "name", "empty")
	refused(t, a, "household_tag_rename", args{"from": "family", "to": "\u200b"}, tools.Invalid, "to", "empty")
}

// What is stored is found, by list, search, rename and similar alike, however
// case and accents are written.
func TestTextsAreComparedAsTheyAreRead(t *testing.T) {
	a := newHome(t)
	names := []string{"Énergie", "ÄRZTE", "👨\u200d👩\u200d👧 Club", "100% Bio", "a_b", `quote " back \ slash`, "abba 1"}
	for _, name := range names {
		add(t, a, "ann", args{"name": name, "tags": []string{name}})
	}
	add(t, a, "ann", args{"name": "100 Bio", "tags": []string{"axb"}})
	add(t, a, "ann", args{"name": "axb"})
	found := func(in args) string {
		var got []string
		for _, s := range read[subscriptionListOut](t, a, "ann", "household_subscription_list", in).Items {
			got = append(got, s.Name)
		}
		return strings.Join(got, "|")
	}
	for asked, want := range map[string]string{
		"énergie": names[0], "e\u0301nergie": names[0], "ärzte": names[1], names[2]: names[2], "100% bio": names[3], "A_B": names[4], names[5]: names[5],
		"ＡＢＢＡ ①": names[6],
	} {
		if got := found(args{"tag": asked}); got != want {
			t.Errorf("the tag %q finds %s", asked, got)
		}
		if got := found(args{"search": asked}); got != want {
			t.Errorf("the search %q finds %s", asked, got)
		}
		again := add(t, a, "bob", args{"name": asked})
		if same := again.Similar; len(same) != 1 || same[0].Name != want {
			t.Errorf("similar to %q: %+v", asked, same)
		}
		apply[Gone](t, a, "bob", "household_subscription_delete", args{"id": again.ID})
		if out, _ := apply[TagRenamed](t, a, "ann", "household_tag_rename", args{"from": asked, "to": "new"}); out.Count != 1 {
			t.Errorf("%q is renamed on %d", asked, out.Count)
		}
		if out, _ := apply[TagRenamed](t, a, "ann", "household_tag_rename", args{"from": "new", "to": want}); out.Count != 1 {
			t.Errorf("%q is renamed back on %d", asked, out.Count)
		}
	}
	for search, want := range map[string]string{"%": names[3], "_": names[4], `\`: names[5], "ZTE": names[1]} {
		if got := found(args{"search": search}); got != want {
			t.Errorf("the search %q finds %s", search, got)
		}
	}
	refused(t, a, "household_tag_rename", args{"from": "%", "to": "x"}, tools.NotFound, "%")
	apply[Category](t, a, "ann", "household_category_add", args{"name": "Ökostrom"})
	refused(t, a, "household_category_add", args{"name": "ÖKOSTROM"}, tools.Conflict, "Ökostrom")
	if s := add(t, a, "ann", args{"name": "By category", "category": "o\u0308kostrom"}); s.Category == nil {
		t.Error("the category is not found")
	}
}
