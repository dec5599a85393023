package household

import (
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// What each tool says and answers, as the reference shows it.
func TestReference(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	a := toolstest.NewWith(t, tools.Config{Now: func() time.Time { return now }}, Plugin{})
	ann := a.Member("ann")
	ann.Set("operator", true)
	if err := a.Save(ann); err != nil {
		t.Fatal(err)
	}
	toolstest.Reference(t, a, Plugin{}, "../../docs/plugins/household.md", toolstest.Tour(t, a))
}

// What was merged away is named on the card and in the activity, though it is
// not there any more.
func TestMergedIsNamed(t *testing.T) {
	a := newHome(t)
	for _, name := range []string{"House", "Home"} {
		if _, err := a.Apply(a.As("ann"), "household_category_add", args{"name": name}); err != nil {
			t.Fatal(err)
		}
	}
	add(t, a, "ann", args{"category": "House"})
	merge := args{"from": "House", "into": "Home"}
	p, err := a.Preview(a.As("ann"), "household_category_merge", merge)
	if err != nil {
		t.Fatal(err)
	}
	want := func(changes []tools.Change) {
		t.Helper()
		for _, c := range changes {
			for _, f := range c.Fields {
				if f.Name == "category" {
					if got := a.Catalogue.English(tools.Text(f.Before)); got != "House" {
						t.Errorf("from %q", got)
					}
					return
				}
			}
		}
		t.Error("no category has changed")
	}
	want(p.Items[0].Changes)
	if _, err := a.Apply(a.As("ann"), "household_category_merge", merge); err != nil {
		t.Fatal(err)
	}
	page, err := a.Runner.Activity(t.Context(), a.As("ann"), tools.ActivityQuery{})
	if err != nil {
		t.Fatal(err)
	}
	want(page.Items[0].Changes)
}
