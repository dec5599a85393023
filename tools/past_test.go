package tools_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// flagged lets subs and what belongs to them be seen by their owner, and by others
// unless they are flagged.
func (b *bench) flagged() {
	b.rule("lab_subs", "flag = false || owner = @request.auth.id || group.name = 'g'")
	b.rule("lab_charges", "sub.flag = false || sub.owner = @request.auth.id || sub.group.name = 'g'")
}

// TestPastByChance: whatever was written and taken back, by whom, and in which
// order entries are looked at, also while more is written: records are taken
// for what they were.
func TestPastByChance(t *testing.T) {
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	b := open(t, tools.Config{})
	b.flagged()
	for round := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(round), 7))
		write := func() {
			own, who := rnd.Uint64(), []tools.Actor{b.ann, b.bob}[rnd.IntN(2)]
			rec, err := b.try(who, b.write(func(c *tools.Call) error {
				w := &writer{rand.New(rand.NewPCG(own, 2))}
				if id := w.pick(c, "lab_subs"); id != "" && w.IntN(2) == 0 {
					sub, err := c.Find("lab_subs", id)
					if err != nil {
						return err
					}
					sub.Set("flag", w.IntN(2) == 0)
					sub.Set("owner", []string{"", b.ann.Person, b.bob.Person}[w.IntN(3)])
					if err := c.Save(sub); err != nil && tools.KindOf(err) != tools.Invalid {
						return err
					}
				}
				return w.several(c)
			}))
			if err == nil && rnd.IntN(5) == 0 {
				_, _ = b.Undo([]tools.Actor{b.ann, b.bob}[rnd.IntN(2)], rec.Audit...) // or not: what stands in the way
			}
		}
		for range 25 {
			write()
		}
		var seqs []int64
		if err := b.DB().Select("seq").From("nodkeep_audit").OrderBy("seq DESC").Column(&seqs); err != nil {
			t.Fatal(err)
		}
		orders := map[string][]int64{"newest first": seqs, "as they come": slices.Clone(seqs), "oldest first": slices.Clone(seqs)}
		rnd.Shuffle(len(seqs), func(i, j int) {
			l := orders["as they come"]
			l[i], l[j] = l[j], l[i]
		})
		slices.Reverse(orders["oldest first"])
		for name, order := range orders {
			past, err := tools.PastsOf(t.Context(), b.Runner, b.bob)
			if err != nil {
				t.Fatal(err)
			}
			for _, seq := range order {
				if rnd.IntN(10) == 0 {
					write()
				}
				d, err := past.Differs(seq)
				if err != nil {
					t.Fatal(err)
				}
				if d != "" {
					t.Fatalf("round %d, %s: %.3000s", round, name, d)
				}
			}
			if held, said := past.Bytes(); held != said {
				t.Errorf("%s: %d bytes are held, %d are counted", name, held, said)
			}
		}
	}
}

// TestPastIsReadOnce: a page of a record that changed very often since costs one
// look at each of its changes, however many entries the page lists. So does an
// undo of many.
func TestPastIsReadOnce(t *testing.T) {
	const later = 300
	b := open(t, tools.Config{})
	b.flagged()
	var sub string
	b.do(add("lab_subs", map[string]any{"name": "ours", "owner": b.ann.Person}, &sub))
	var ids []string
	for n := range 60 {
		ids = append(ids, b.do(add("lab_charges", map[string]any{"sub": sub, "amount": n}, nil)).Audit...)
	}
	for n := range later {
		b.do(update("lab_subs", &sub, map[string]any{"note": fmt.Sprint("n", n)}))
	}
	past, err := tools.PastsOf(t.Context(), b.Runner, b.bob)
	if err != nil {
		t.Fatal(err)
	}
	page, err := past.Activity(tools.ActivityQuery{Tool: "lab_write", Cursor: fmt.Sprint(b.count("nodkeep_audit") - later + 1)})
	if err != nil || len(page.Items) != 50 {
		t.Fatal(len(page.Items), err)
	}
	if n := past.Steps(); n < later || n > later+60 {
		t.Errorf("%d steps are read for a page, there are %d later ones", n, later)
	}
	if past, err = tools.PastsOf(t.Context(), b.Runner, b.bob); err != nil {
		t.Fatal(err)
	}
	if err := past.Targets(ids...); err != nil {
		t.Fatal(err)
	}
	if n := past.Steps(); n < later || n > later+60 {
		t.Errorf("%d steps are read for an undo of %d, there are %d later ones", n, len(ids), later)
	}
}

// TestPastIsIndexed: what is read of the past is found by an index.
func TestPastIsIndexed(t *testing.T) {
	b := open(t, tools.Config{})
	for _, plan := range tools.PlansOfPast(b.Runner) {
		if strings.Contains(plan, "SCAN nodkeep") || strings.Contains(plan, "SCAN s") || strings.Contains(plan, "SCAN a") || strings.Contains(plan, "TEMP B-TREE") {
			t.Error(plan)
		}
	}
}
