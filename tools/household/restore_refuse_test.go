package household

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// lie is an export of a rich household, changed.
func lie(tb testing.TB, good string, change func(h map[string]any)) map[string]any {
	tb.Helper()
	var h map[string]any
	if err := json.Unmarshal([]byte(good), &h); err != nil {
		tb.Fatal(err)
	}
	change(h)
	return h
}

// TestRestoreRefuses: a file that lies is refused, the field and the record
// named, and nothing is written.
func TestRestoreRefuses(t *testing.T) {
	a := newHome(t)
	ids := rich(t, a)
	good := exportOf(t, a, "ann")
	b := newPlace(t)
	secret := add(t, b, "bob", args{"name": "Hidden", "private": true}).ID
	shared := add(t, b, "bob", args{"name": "Shared"}).ID
	apply[Category](t, b, "bob", "household_category_add", args{"name": "Rent"})
	before := dump(t, b)
	// at is the record of a list that has a value, or the first.
	at := func(h map[string]any, list, field string, value any) map[string]any {
		for _, v := range h[list].([]any) {
			if rec := v.(map[string]any); rec[field] == value {
				return rec
			}
		}
		t.Fatalf("%s has none whose %s is %v", list, field, value)
		return nil
	}
	sub := func(h map[string]any) map[string]any { return at(h, "subscriptions", "name", "Spotify") }
	set := func(list, field string, value any, name string, v any) func(map[string]any) {
		return func(h map[string]any) { at(h, list, field, value)[name] = v }
	}
	of := func(name string, v any) func(map[string]any) {
		return func(h map[string]any) { sub(h)[name] = v }
	}
	more := func(list string, rec map[string]any) func(map[string]any) {
		return func(h map[string]any) { h[list] = append(h[list].([]any), rec) }
	}
	under := func(id string) func(map[string]any) {
		return func(h map[string]any) {
			maps.Copy(h, lie(t, strings.ReplaceAll(good, ids["spotify"], id), func(map[string]any) {}))
		}
	}
	rows := []struct {
		name   string
		change func(map[string]any)
		kind   tools.Kind
		says   []string
	}{
		{"another version", func(h map[string]any) { h["version"] = 99 }, tools.Invalid, []string{"household.version"}},
		{"no version", func(h map[string]any) { delete(h, "version") }, tools.Invalid, []string{"household.version"}},
		{"a version as text", func(h map[string]any) { h["version"] = "1" }, tools.Invalid, []string{"household.version"}},
		{"an unknown list", func(h map[string]any) { h["secrets"] = []any{} }, tools.Invalid, []string{"household.secrets", "subscriptions"}},
		{"reminders", func(h map[string]any) { h["reminders"] = []any{} }, tools.Invalid, []string{"household.reminders"}},
		{"a list that is none", func(h map[string]any) { h["charges"] = "x" }, tools.Invalid, []string{"household.charges", "a list"}},
		{"a record that is none", func(h map[string]any) { h["charges"] = []any{1} }, tools.Invalid, []string{"charges[0]"}},
		{"settings that are none", func(h map[string]any) { h["settings"] = []any{} }, tools.Invalid, []string{"settings"}},
		{"settings with an id", func(h map[string]any) { h["settings"].(map[string]any)["id"] = secret }, tools.Invalid, []string{"settings", `"id"`}},
		{"settings of no zone", func(h map[string]any) { h["settings"].(map[string]any)["time_zone"] = "Mars" }, tools.Invalid, []string{"settings", "time_zone"}},
		{"an unknown field", of("password", "x"), tools.Invalid, []string{`"Spotify"`, "password"}},
		{"a date of creation", of("created", "2020-01-01 00:00:00.000Z"), tools.Invalid, []string{`"Spotify"`, "created"}},
		{"a text as number", of("name", 5), tools.Invalid, []string{`"name"`, "subscriptions["}},
		{"null", of("notes", nil), tools.Invalid, []string{`"Spotify"`, `"notes"`}},
		{"a float", of("amount", 10.99), tools.Invalid, []string{`"Spotify"`, `"amount"`}},
		{"an amount as text", of("amount", "10.99"), tools.Invalid, []string{`"Spotify"`, `"amount"`}},
		{"an amount below zero", of("amount", -1), tools.Invalid, []string{`"Spotify"`, "amount"}},
		{"an amount beyond all", of("amount", 1e300), tools.Invalid, []string{`"Spotify"`, "amount"}},
		{"private as text", of("private", "yes"), tools.Invalid, []string{`"Spotify"`, `"private"`}},
		{"private with another's owner", of("private", true), tools.Invalid, []string{`"Spotify"`, "owner"}},
		{"a currency that is none", of("currency", "ABC"), tools.Invalid, []string{`"Spotify"`, "currency"}},
		{"a day that is none", of("first_date", "2025-02-31"), tools.Invalid, []string{`"Spotify"`, "first_date"}},
		{"a day in a year that is none", of("first_date", "9999-12-31"), tools.Invalid, []string{`"Spotify"`, "first_date"}},
		{"a charge in a year that is none", set("charges", "text", "-GYM", "date", "9999-12-31"), tools.Invalid, []string{`"Gym 9999-12-31"`, "date"}},
		{"a cycle that is none", of("cycle", "P0M"), tools.Invalid, []string{`"Spotify"`, "cycle"}},
		{"an empty name", of("name", ""), tools.Invalid, []string{"name"}},
		{"a long text", of("notes", strings.Repeat("x", 5001)), tools.Invalid, []string{`"Spotify"`, "notes"}},
		{"a very long text", of("notes", strings.Repeat("x", 1<<20)), tools.TooLarge, nil},
		{"tags twice", of("tags", []any{"a", "A"}), tools.Invalid, []string{`"Spotify"`, "tags", "[1]"}},
		{"a tag of 10 kB", of("tags", []any{"a", strings.Repeat("t", 10_000)}), tools.Invalid, []string{`"Spotify"`, "tags", "[1]"}},
		{"tags as numbers", of("tags", []any{1}), tools.Invalid, []string{`"Spotify"`, "tags"}},
		{"tags as text", of("tags", "a"), tools.Invalid, []string{`"Spotify"`, `"tags"`}},
		{"a handle that is too long", of("owner", strings.Repeat("x", 500)), tools.Invalid, []string{`"Spotify"`, "owner"}},
		{"a logo as text", of("logo", "x.png"), tools.Invalid, []string{`"Spotify"`, `"logo"`}},
		{"a logo without its data", of("logo", map[string]any{"name": "x.png"}), tools.Invalid, []string{`"Spotify"`, `"logo"`}},
		{"a logo that is no base64", of("logo", map[string]any{"name": "x.png", "data": "*"}), tools.Invalid, []string{`"Spotify"`, `"logo"`}},
		{"an empty logo", of("logo", map[string]any{"name": "x.png", "data": ""}), tools.Invalid, []string{`"Spotify"`, `"logo"`}},
		{"a logo that is a page", of("logo", map[string]any{"name": "x.png", "data": "PGh0bWw+PC9odG1sPg=="}), tools.Invalid, []string{`"Spotify"`, `"logo"`, "text/html"}},
		{"a logo that is too large", of("logo", map[string]any{"name": "x.png", "data": strings.Repeat("AAAA", 175000)}), tools.Invalid, []string{`"Spotify"`, `"logo"`}},
		{"an id that is none", of("id", "x"), tools.Invalid, []string{`"Spotify"`, "id"}},
		{"no id", func(h map[string]any) { delete(sub(h), "id") }, tools.Invalid, []string{`"Spotify"`, "id"}},
		{"an id in capitals", of("id", "ABCDEFGHIJKLMNO"), tools.Invalid, []string{`"Spotify"`, "id"}},
		{"an id twice", func(h map[string]any) { sub(h)["id"] = ids["gym"] }, tools.Invalid, []string{ids["gym"]}},
		{"the id of another's private one", under(secret), tools.Invalid, []string{`"Spotify": id: ` + secret + " cannot be used here; write another"}},
		{"the id of another", under(shared), tools.Conflict, []string{`"Spotify"`, "amount", "name"}},
		{"a charge with the id of none of ours", set("charges", "text", "-GYM", "id", secret), "", nil},
		{"a category that is not there", of("category", "nosuchrecord000"), tools.Invalid, []string{`"Spotify"`, "category"}},
		{"a category that is a subscription", of("category", shared), tools.Invalid, []string{`"Spotify"`, "category"}},
		{"replacing what is not there", of("replaces", "nosuchrecord000"), tools.Invalid, []string{`"Spotify"`, "replaces"}},
		{"replacing another's private one", of("replaces", secret), tools.Invalid, []string{`"Spotify"`, "replaces"}},
		{"replacing itself", of("replaces", ids["spotify"]), tools.Invalid, []string{`"Spotify"`, "replaces"}},
		{"a ring", set("subscriptions", "name", "Deezer", "replaces", ids["spotify"]), tools.Invalid, []string{"replaces"}},
		{"a category merged into itself", set("categories", "name", "+Music", "merged_into", ids["music"]), tools.Invalid, []string{`"+Music"`, "merged_into"}},
		{"notes that turn around", of("notes", "a\u202eb"), tools.Invalid, []string{`"Spotify"`, "notes"}},
		{"a merchant with a bell", of("merchant", "a\u0007b"), tools.Invalid, []string{`"Spotify"`, "merchant"}},
		{"an account of two lines", of("account", "a\nb"), tools.Invalid, []string{`"Spotify"`, "account"}},
		{"a statement with a NUL", set("charges", "text", "-GYM", "text", "a\u0000"), tools.Invalid, []string{`"Gym 2025-01-31"`, "text"}},
		{"a source that turns around", set("rates", "source", "ECB", "source", "\u202eECB"), tools.Invalid, []string{"2025-01-31", "source"}},
		{"a category that is here by its name", set("categories", "name", "+Music", "name", "rent"), tools.Invalid, []string{`"rent"`, "name"}},
		{"a charge of another's private one", set("charges", "text", "-GYM", "subscription", secret), tools.Invalid, []string{"charges[", "subscription"}},
		{"a charge of none", set("charges", "text", "-GYM", "subscription", ""), tools.Invalid, []string{"charges[", "subscription"}},
		{"a charge that was skipped and paid", set("charges", "state", "skipped", "amount", 5), tools.Invalid, []string{`"Gym 2025-02-28"`, "amount"}},
		{"a price in another currency", set("prices", "from", "2025-06-30", "currency", "USD"), tools.Invalid, []string{`"Spotify 2025-06-30"`, "currency"}},
		{"a share in another currency", set("shares", "person", "Oma", "currency", "USD"), tools.Invalid, []string{`"Spotify Oma"`, "currency"}},
		{"a share of two", set("shares", "person", "Oma", "member", "cy"), tools.Invalid, []string{`"Spotify Oma"`, "person"}},
		{"two shares of one", more("shares", map[string]any{"id": "share0000000001", "subscription": ids["spotify"], "person": "OMA", "weight": 1, "currency": "EUR"}), tools.Invalid, []string{`"Spotify `, "person"}},
		{"a share of nothing", set("shares", "person", "Oma", "fixed", 0), tools.Invalid, []string{`"Spotify Oma"`, "weight"}},
		{"a term that an active one had", of("agreed_ends_on", "2027-01-31"), tools.Invalid, []string{`"Spotify"`, "agreed_ends_on"}},
		{"a trial that was dropped and goes on", set("subscriptions", "name", "Gym", "trial_decided", "drop"), tools.Invalid, []string{`"Gym"`, "trial_decided"}},
		{"a share of nobody", set("shares", "person", "Oma", "person", ""), tools.Invalid, []string{"shares[", "person"}},
		{"prices without a sign of them", of("repriced", false), tools.Invalid, []string{`"Spotify 2025-`, "repriced"}},
		{"two prices of a day", set("prices", "from", "2025-06-30", "from", "2025-01-31"), tools.Invalid, []string{`"Spotify 2025-01-31"`, "from"}},
		{"a pause that ends before it starts", set("pauses", "until", "2025-05-01", "until", "2025-03-01"), tools.Invalid, []string{`"Gym 2025-04-01"`, "until"}},
		{"pauses that overlap", more("pauses", map[string]any{"id": "pause0000000001", "subscription": ids["gym"], "from": "2025-04-30", "until": "2025-06-01"}), tools.Invalid, []string{`"Gym 2025-04-`, "overlap"}},
		{"rates that are none", set("rates", "source", "ECB", "rates", map[string]any{"USD": 1.5}), tools.Invalid, []string{"2025-01-31", "rates"}},
		{"rates of no currency", set("rates", "source", "ECB", "rates", map[string]any{"ABC": "1"}), tools.Invalid, []string{"2025-01-31", "rates"}},
		{"too many", func(h map[string]any) { h["charges"] = slices.Repeat([]any{map[string]any{}}, maxExported) }, tools.TooLarge, []string{"1000"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := b.Preview(b.As("ann"), "household_restore", args{"household": lie(t, good, row.change)})
			if row.kind == "" && err != nil || row.kind != "" && tools.KindOf(err) != row.kind {
				t.Fatalf("got %v, want %s", err, row.kind)
			}
			for _, say := range row.says {
				if !strings.Contains(err.Error(), say) {
					t.Errorf("%q does not say %s", err, say)
				}
			}
			if err != nil && (strings.Contains(err.Error(), "Hidden") || len(err.Error()) > 600) {
				t.Errorf("it says too much: %v", err)
			}
			if row.kind == "" {
				return
			}
			if _, err := b.Apply(b.As("ann"), "household_restore", args{"household": lie(t, good, row.change)}); tools.KindOf(err) != row.kind {
				t.Errorf("applied: %v", err)
			}
			if diff := cmp.Diff(before, dump(t, b)); diff != "" {
				t.Fatal(diff)
			}
		})
	}
	// No card shows what would turn it around or break it.
	hostile := lie(t, good, func(h map[string]any) { sub(h)["owner"] = "\u202egone\u200b" })
	p, err := b.Preview(b.As("ann"), "household_restore", args{"household": hostile})
	if err != nil {
		t.Fatal(err)
	}
	if said := fmt.Sprint(p.Items[0].Card); !strings.Contains(said, "gone") || strings.ContainsAny(said, "\u202e\u200b") {
		t.Errorf("%q", said)
	}
	// What is unseen is refused in the very words of what is not there.
	for _, change := range []func(id string) func(map[string]any){
		func(id string) func(map[string]any) { return of("replaces", id) },
		func(id string) func(map[string]any) { return set("charges", "text", "-GYM", "subscription", id) },
	} {
		var said []string
		for _, id := range []string{secret, "nosuchrecord000"} {
			_, err := b.Preview(b.As("ann"), "household_restore", args{"household": lie(t, good, change(id))})
			said = append(said, strings.ReplaceAll(err.Error(), id, "ID"))
		}
		if said[0] != said[1] {
			t.Errorf("%q", said)
		}
	}
	for _, in := range []any{nil, args{"household": nil}, args{"household": []any{}}, args{"household": "x"}, args{"household": map[string]any{}, "more": 1}} {
		if _, err := b.Preview(b.As("ann"), "household_restore", in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%v: %v", in, err)
		}
	}
	for _, raw := range []string{`{"household":{"version":1,"version":1}}`, `{"household":{"version":NaN}}`, `{"household":`} {
		if _, err := b.Runner.Preview(t.Context(), b.As("ann"), tools.Invocation{Tool: "household_restore", Args: []byte(raw)}); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
