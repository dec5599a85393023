package tools_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestCommitted tells of what was committed and changed something, whoever
// wrote: neither of previews and refusals nor of what was rolled back. What
// there is to see of it depends on who looks.
func TestCommitted(t *testing.T) {
	var mu sync.Mutex
	var told []string
	b := open(t, tools.Config{Committed: func(entry string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, entry)
	}})
	heard := func() []string {
		mu.Lock()
		defer mu.Unlock()
		all := slices.Clone(told)
		told = nil
		return all
	}
	heard() // of the members that were made
	var id string
	receipt := b.do(add("lab_subs", map[string]any{"name": "s", "amount": 3}, &id))
	if got := heard(); !slices.Equal(got, receipt.Audit) {
		t.Errorf("of an apply: %v, want %v", got, receipt.Audit)
	}
	changes, err := b.Runner.Changed(t.Context(), b.ann, receipt.Audit...)
	if err != nil || len(changes) != 1 || changes[0].ID != id || changes[0].After["name"] != "s" {
		t.Errorf("%+v, %v", changes, err)
	}
	if changes, err := b.Runner.Changed(t.Context(), tools.Actor{Person: "nobody", Door: tools.DoorWeb}, receipt.Audit...); err == nil {
		t.Errorf("nobody sees %+v", changes)
	}
	if _, err := b.Runner.Apply(t.Context(), b.ann, "", b.Call("lab_write", run{"no such code"})); err == nil {
		t.Error("what does not exist was done")
	}
	if got := heard(); len(got) > 0 {
		t.Errorf("of a refusal: %v", got)
	}
	rec, err := b.FindRecordById("lab_subs", id)
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("name", "other")
	if err := b.Save(rec); err != nil {
		t.Fatal(err)
	}
	if got := heard(); len(got) != 1 {
		t.Errorf("of another writer: %v", got)
	}
}
