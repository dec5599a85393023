package tools_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
)

// TestUndoRestores is the heart of the engine: random writes over three linked
// collections with files, JSON, numbers and unique values, taken back in one
// go or one by one, and taken back again. Every record and file must be what
// it was, byte for byte.
func TestUndoRestores(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	b := open(t, tools.Config{})
	writes := 0
	for seed := range rounds {
		w := &writer{rand.New(rand.NewPCG(uint64(seed), 1))}
		before := b.dump()
		var ids []string
		for range 3 + w.IntN(12) {
			// Preview and apply must draw the same: each write has its own seed.
			own := w.Uint64()
			rec := b.do(func(c *tools.Call) error {
				return (&writer{rand.New(rand.NewPCG(own, 2))}).several(c)
			})
			ids = append(ids, rec.Audit...)
			writes++
			if w.IntN(6) == 0 {
				u, err := b.Undo(b.ann, rec.Audit...)
				if tools.KindOf(err) == tools.Conflict && len(rec.Changes) == 0 {
					continue // it came to nothing
				}
				if err != nil {
					t.Fatalf("round %d: undo in between: %v %v", seed, err, conflicts(err))
				}
				ids = append(ids, u.Audit...)
			}
		}
		after := b.dump()
		undos := b.takeBack(t, seed, ids)
		if d := differs(before, b.dump()); d != "" {
			t.Fatalf("round %d: not restored: %s", seed, d)
		}
		if u, err := b.Undo(b.ann, undos...); err != nil {
			t.Fatalf("round %d: undo of the undo: %v %v", seed, err, conflicts(err))
		} else if len(u.Audit) != 1 {
			t.Fatalf("round %d: %d entries", seed, len(u.Audit))
		}
		if d := differs(after, b.dump()); d != "" {
			t.Fatalf("round %d: not done again: %s", seed, d)
		}
	}
	t.Logf("%d writes in %d rounds; %d subscriptions, %d charges now", writes, rounds, b.count("lab_subs"), b.count("lab_charges"))
	if v, err := b.Runner.Verify(t.Context()); err != nil || !v.OK {
		t.Error(v, err)
	}
}

// takeBack undoes in one entry, or newest first one by one.
func (b *bench) takeBack(t *testing.T, seed int, ids []string) []string {
	t.Helper()
	if seed%2 == 0 {
		u, err := b.Undo(b.ann, ids...)
		if err != nil {
			t.Fatalf("round %d: %v %v", seed, err, conflicts(err))
		}
		return u.Audit
	}
	var undos []string
	taken := map[string]bool{}
	for i := len(ids) - 1; i >= 0; i-- {
		if taken[ids[i]] {
			continue
		}
		u, err := b.Undo(b.ann, ids[i])
		if tools.KindOf(err) == tools.Conflict && len(conflicts(err)) == 0 {
			continue // it changed nothing, or an undo in between took it back
		}
		if err != nil {
			t.Fatalf("round %d: %v %v", seed, err, conflicts(err))
		}
		undos = append(undos, u.Audit...)
	}
	return undos
}

func conflicts(err error) []tools.UndoConflict {
	if e, ok := errors.AsType[*tools.Error](err); ok {
		return e.Conflicts
	}
	return nil
}

// writer makes random writes.
type writer struct{ *rand.Rand }

var (
	oddJSON = []any{
		`{"a": 1, "b" : "<x>"}`, types.JSONRaw(`9007199254740993`), types.JSONRaw(`1.50`), nil, "", types.JSONRaw(`[]`), types.JSONRaw(`"null"`),
		types.JSONRaw(`{"n":123456789012345678901234567890.10}`), "plain text", types.JSONRaw(`null`), types.JSONRaw("{\n\t\"k\": \"\\u00e9\"}"), types.JSONRaw(`true`),
	}
	oddNumbers = []any{0, 0.1, 1e15 + 0.5, int64(9007199254740993), -5, 15.99, 1e300, "12.30"}
	oddTexts   = []string{"", "x", "null", "<p>a & b</p>", "12.30", "007", "1e5", "\u2028é\x00z", "  "}
)

func one[T any](w *writer, of []T) T { return of[w.IntN(len(of))] }

func (w *writer) several(c *tools.Call) error {
	for range 1 + w.IntN(4) {
		if err := w.one(c); err != nil && tools.KindOf(err) != tools.Invalid {
			return err
		}
	}
	return nil
}

func (w *writer) one(c *tools.Call) error {
	switch k := w.IntN(11); k {
	case 0:
		return add("lab_groups", map[string]any{"name": one(w, oddTexts)}, nil)(c)
	case 1:
		return add("lab_tags", map[string]any{"name": "t"}, nil)(c)
	case 2, 3, 4:
		sub := c.New("lab_subs")
		sub.Set("group", w.pick(c, "lab_groups"))
		sub.Set("tags", []string{w.pick(c, "lab_tags"), w.pick(c, "lab_tags")})
		w.fill(sub)
		return c.Save(sub)
	case 5, 6:
		id := w.pick(c, "lab_subs")
		if id == "" {
			return nil
		}
		sub, err := c.Find("lab_subs", id)
		if err != nil {
			return err
		}
		w.fill(sub)
		if w.IntN(2) == 0 {
			sub.Set("tags+", w.pick(c, "lab_tags"))
			sub.Set("group", w.pick(c, "lab_groups"))
		}
		return c.Save(sub)
	case 7:
		if id := w.pick(c, "lab_subs"); id != "" {
			return add("lab_charges", map[string]any{"sub": id, "amount": one(w, oddNumbers), "receipt": file(fmt.Sprint("r", w.Int()))}, nil)(c)
		}
	default:
		if id := w.pick(c, labTables[k-8]); id != "" && w.IntN(3) > 0 {
			return remove(labTables[k-8], &id)(c)
		}
	}
	return nil
}

func (w *writer) pick(c *tools.Call, collection string) string {
	recs, err := c.List(collection, tools.Query{})
	if err != nil {
		panic(err)
	}
	if len(recs) == 0 {
		return ""
	}
	return one(w, recs).Id
}

func (w *writer) fill(sub *core.Record) {
	for range 1 + w.IntN(5) {
		switch w.IntN(13) {
		case 0:
			sub.Set("meta", one(w, oddJSON))
		case 1:
			sub.Set("amount", one(w, oddNumbers))
		case 2:
			sub.Set("name", one(w, oddTexts))
		case 3:
			sub.Set("note", one(w, oddTexts))
		case 4:
			sub.Set("pos", map[string]any{"lon": w.Float64() * 100, "lat": 1})
		case 5:
			sub.Set("kind", one(w, [][]string{{}, {"b", "a"}, {"c"}}))
		case 6:
			sub.Set("doc", file(fmt.Sprint("doc", w.Int())))
		case 7:
			sub.Set("pics+", []any{file(fmt.Sprint("pic", w.Int())), file(fmt.Sprint("pic", w.Int()))})
		case 8:
			if l := sub.GetStringSlice("pics"); len(l) > 0 {
				sub.Set("pics-", l[0])
			}
		case 9:
			sub.Set("day", one(w, []string{"", "2026-03-14 00:00:00.000Z", "2024-02-29"}))
		case 10:
			sub.Set("flag", w.IntN(2) == 0)
		case 11:
			sub.Set("doc", nil)
		case 12:
			sub.Set("code", fmt.Sprint(one(w, []string{"", "k"}), w.IntN(6)))
		}
	}
}
