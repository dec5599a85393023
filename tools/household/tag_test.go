package household

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
