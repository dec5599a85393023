package household

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

func TestRenamed(t *testing.T) {
	rows := []struct {
		tags     []string
		from, to string
		want     []string
	}{
		{[]string{"a", "b"}, "a", "c", []string{"c", "b"}},
		{[]string{"a", "b"}, "A", "B", []string{"B"}},
		{[]string{"a", "b", "c"}, "c", "a", []string{"a", "b"}},
		{[]string{"tv"}, "tv", "TV", []string{"TV"}},
	}
	for _, r := range rows {
		if diff := cmp.Diff(r.want, renamed(r.tags, r.from, r.to)); diff != "" {
			t.Errorf("%v, %s to %s: %s", r.tags, r.from, r.to, diff)
		}
	}
}

// A tag that is taken is stored as it is, found again by the list, and nothing
// else is found by it.
func TestTagsAreFound(t *testing.T) {
	a := newHome(t)
	tags := []string{"ä ö", "a_b", "a'b", "{:today}", "&& name ~ 'x'", "日本", "a,b", "[x]", "null", "1"}
	for _, tag := range tags {
		add(t, a, "ann", args{"name": "Sub " + tag, "tags": []string{tag}})
	}
	add(t, a, "ann", args{"name": "Other", "tags": []string{"acb"}})
	for _, tag := range tags {
		out := read[subscriptionListOut](t, a, "ann", "household_subscription_list", args{"tag": tag})
		if len(out.Items) != 1 || out.Items[0].Name != "Sub "+tag {
			t.Errorf("%q finds %d", tag, len(out.Items))
		}
	}
}

// Tags are counted in any case, by what the reader sees; the usual writing is
// shown.
func TestTagListAndDelete(t *testing.T) {
	a := newHome(t)
	for i, tags := range [][]string{{"TV", "été"}, {"tv", "b"}, {"tv"}, {"B"}, nil} {
		add(t, a, "ann", args{"name": fmt.Sprint("Sub ", i), "tags": tags})
	}
	secret := add(t, a, "ann", args{"private": true, "tags": []string{"tv", "secret", "ÉTÉ"}}).ID
	want := map[string][]TagCount{
		"ann": {{"B", 2}, {"secret", 1}, {"tv", 4}, {"ÉTÉ", 2}},
		"bob": {{"B", 2}, {"tv", 3}, {"été", 1}},
	}
	for who, items := range want {
		first := read[tagListOut](t, a, who, "household_tag_list", args{"limit": 2})
		rest := read[tagListOut](t, a, who, "household_tag_list", args{"limit": 2, "cursor": first.Next})
		if diff := cmp.Diff(items, append(first.Items, rest.Items...)); diff != "" || rest.Next != "" {
			t.Errorf("%s: %s", who, diff)
		}
	}
	if got := title(t, a, "bob", "household_tag_delete", args{"tag": " Tv "}); got != "Take the tag tv off 3 subscriptions" {
		t.Error(got)
	}
	if out, _ := apply[TagDeleted](t, a, "bob", "household_tag_delete", args{"tag": "TV"}); out.Count != 3 || out.Tag != "tv" {
		t.Errorf("%+v", out)
	}
	if diff := cmp.Diff([]TagCount{{"B", 2}, {"été", 1}}, read[tagListOut](t, a, "bob", "household_tag_list", nil).Items); diff != "" {
		t.Error(diff)
	}
	if d := read[Details](t, a, "ann", "household_subscription_get", args{"id": secret}); len(d.Tags) != 3 {
		t.Errorf("%v", d.Tags)
	}
	before := dump(t, a)
	for tag, word := range map[string]string{strings.Repeat("t", 10_000): "40", " \u200b": "empty", "a\x00": "control"} {
		refused(t, a, "household_tag_delete", args{"tag": tag}, tools.Invalid, "tag", word)
		refused(t, a, "household_tag_rename", args{"from": tag, "to": "x"}, tools.Invalid, "from", word)
	}
	refused(t, a, "household_tag_delete", args{"tag": "nobody"}, tools.NotFound, "tag", "nobody")
	refused(t, a, "household_tag_rename", args{"from": "nobody", "to": "x"}, tools.NotFound, "from", "nobody")
	refused(t, a, "household_tag_rename", args{"from": "b", "to": strings.Repeat("t", 10_000)}, tools.Invalid, "to", "40")
	_, hidden := a.Apply(a.As("bob"), "household_tag_delete", args{"tag": "secret"})
	if tools.KindOf(hidden) != tools.NotFound {
		t.Error(hidden)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

func FuzzParseTags(f *testing.F) {
	f.Add("fun", " TV ")
	f.Add(`a"b`, "\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		tags, err := parseTags("tags", []string{a, b})
		if err != nil {
			return
		}
		again, err := parseTags("tags", tags)
		if err != nil || !cmp.Equal(tags, again) {
			t.Errorf("%q became %q, then %q, %v", []string{a, b}, tags, again, err)
		}
	})
}

func FuzzMerchantKey(f *testing.F) {
	f.Add("NETFLIX.COM 12345")
	f.Fuzz(func(t *testing.T, s string) {
		if key := merchantKey(s); merchantKey(key) == "" && key != "" {
			t.Errorf("%q became %q, then nothing", s, key)
		}
	})
}
