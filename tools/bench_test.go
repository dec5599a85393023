package tools_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
)

// BenchmarkWrite compares a write through the engine with PocketBase's own
// PATCH of the same record by the same person, in turns, so that the ratio
// holds when the machine's speed drifts.
func BenchmarkWrite(b *testing.B) {
	e := open(b, tools.Config{})
	own := types.Pointer("owner = @request.auth.id")
	col, err := e.FindCollectionByNameOrId("lab_charges")
	if err != nil {
		b.Fatal(err)
	}
	rule := types.Pointer("sub.owner = @request.auth.id")
	col.ViewRule, col.UpdateRule = rule, rule
	if err := e.Save(col); err != nil {
		b.Fatal(err)
	}
	_ = own
	var sub, id string
	e.do(add("lab_subs", map[string]any{"owner": e.ann.Person}, &sub))
	e.do(add("lab_charges", map[string]any{"sub": sub, "amount": 1}, &id))
	call := e.api()
	token := e.token(e.Member("ann"))
	n := 0
	inv := e.write(func(c *tools.Call) error {
		return update("lab_charges", &id, map[string]any{"amount": n})(c)
	})
	patch := func() {
		n++
		if code, body := call("PATCH", "lab_charges/records/"+id, token, map[string]any{"amount": n}); code != http.StatusOK {
			b.Fatal(code, body)
		}
	}
	for name, f := range map[string]func(){
		"preview": func() {
			n++
			if _, err := e.Runner.Preview(b.Context(), e.ann, inv); err != nil {
				b.Fatal(err)
			}
		},
		"apply": func() {
			n++
			if _, err := e.Runner.Apply(b.Context(), e.ann, "", inv); err != nil {
				b.Fatal(err)
			}
		},
		"patch": patch,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
	_ = fmt.Sprint
}
