package hooks

import (
	"fmt"
	"sync"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools/accounts"
)

// TestSaidAtOnce: of settings that are changed side by side the one that stands is in
// effect, and not one that was read before it.
func TestSaidAtOnce(t *testing.T) {
	i := newInstance(t)
	col, err := i.pb.FindCollectionByNameOrId(accounts.Settings)
	if err != nil {
		t.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Set("name", capSetting)
	rec.Set("value", "0")
	if err := i.pb.Save(rec); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for round := range 150 {
		var wg sync.WaitGroup
		for n := range 6 {
			wg.Go(func() {
				r, err := i.pb.FindRecordById(accounts.Settings, rec.Id)
				if err != nil {
					return
				}
				r.Set("value", fmt.Sprint(round*10+n+1))
				_ = i.pb.Save(r) // whether it stands is looked at below
			})
		}
		wg.Wait()
		r, err := i.pb.FindRecordById(accounts.Settings, rec.Id)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := i.dailyCap()
		if fmt.Sprint(got/1_000_000) != r.GetString("value") {
			wrong++
		}
	}
	if wrong > 0 {
		t.Error(wrong, "times the cap in effect is not the one that stands")
	}
}
