package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// TestChainFindsTampering changes the books in each way that somebody with the
// database, but not the key, could.
func TestChainFindsTampering(t *testing.T) {
	for name, sql := range map[string]string{
		"a byte of a change":        `UPDATE nodkeep_steps SET after = replace(after,'"t','"u') WHERE entry = (SELECT id FROM nodkeep_audit WHERE seq=15)`,
		"a record's id":             "UPDATE nodkeep_steps SET record = 'x' WHERE entry = (SELECT id FROM nodkeep_audit WHERE seq=15)",
		"the person":                "UPDATE nodkeep_audit SET person = 'bob' WHERE seq=15",
		"the tool":                  "UPDATE nodkeep_audit SET tool = 'x' WHERE seq=15",
		"the door":                  "UPDATE nodkeep_audit SET door = 'mcp' WHERE seq=15",
		"the state":                 "UPDATE nodkeep_audit SET state = 'refused' WHERE seq=15",
		"what it undoes":            "UPDATE nodkeep_audit SET undoes = '[\"zz\"]' WHERE seq=15",
		"the time":                  "UPDATE nodkeep_audit SET at = '2020-01-01 00:00:00.000Z' WHERE seq=15",
		"the kind":                  "UPDATE nodkeep_audit SET kind = 'erasure' WHERE seq=15",
		"an entry removed":          "DELETE FROM nodkeep_audit WHERE seq=15",
		"the first removed":         "DELETE FROM nodkeep_audit WHERE seq=1",
		"two reordered":             "UPDATE nodkeep_audit SET seq=-1 WHERE seq=15; UPDATE nodkeep_audit SET seq=15 WHERE seq=16; UPDATE nodkeep_audit SET seq=16 WHERE seq=-1",
		"one appended":              "INSERT INTO nodkeep_audit (id,seq,at,kind,state,person,salt,commitment,mac) SELECT 'zz',max(seq)+1,at,kind,state,person,salt,commitment,mac FROM nodkeep_audit",
		"a step removed":            "DELETE FROM nodkeep_steps WHERE entry = (SELECT id FROM nodkeep_audit WHERE seq=15)",
		"a step added":              "INSERT INTO nodkeep_steps (entry,n,op,collection,record) SELECT entry,9,'delete','lab_tags','x' FROM nodkeep_steps LIMIT 1",
		"a step of nobody":          "INSERT INTO nodkeep_steps (entry,n,op,collection,record) VALUES ('none',0,'delete','lab_tags','x')",
		"a payload emptied":         "UPDATE nodkeep_audit SET salt='',person='',door='',agent='',tool='',effect='',state='',args='',digest='',reason='',undoes='' WHERE seq=15; DELETE FROM nodkeep_steps WHERE entry = (SELECT id FROM nodkeep_audit WHERE seq=15)",
		"the tail cut":              "DELETE FROM nodkeep_steps WHERE entry IN (SELECT id FROM nodkeep_audit WHERE seq>15); DELETE FROM nodkeep_audit WHERE seq>15",
		"everything cut":            "DELETE FROM nodkeep_steps; DELETE FROM nodkeep_audit",
		"the mac of an entry":       "UPDATE nodkeep_audit SET mac = CASE substr(mac,1,1) WHEN 'a' THEN 'b' ELSE 'a' END || substr(mac,2) WHERE seq=15",
		"the commitment recomputed": "UPDATE nodkeep_audit SET tool = 'x', commitment = lower(hex(randomblob(32))) WHERE seq=15",
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, tools.Config{})
			for i := range 20 {
				b.do(add("lab_tags", map[string]any{"name": fmt.Sprint("t", i)}, nil))
			}
			b.wellFormed(t)
			if _, err := b.DB().NewQuery(sql).Execute(); err != nil {
				t.Fatal(err)
			}
			v, err := b.Runner.Verify(t.Context())
			if err != nil || v.OK || v.Problem == "" {
				t.Errorf("not found: %+v %v", v, err)
			}
		})
	}
}

func (b *bench) wellFormed(t *testing.T) {
	t.Helper()
	if v, err := b.Runner.Verify(t.Context()); err != nil || !v.OK {
		t.Fatalf("%+v %v", v, err)
	}
}

// TestCutTail is found for good: while the process lives, after six more
// writes and after a restart, until the operator says that it is right.
func TestCutTail(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	b := openIn(t, dir, tools.Config{}, newLab())
	write := func(b *bench, n int) {
		for range n {
			b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
		}
	}
	cut := func(b *bench) {
		t.Helper()
		if v, err := b.Runner.Verify(t.Context()); err != nil || v.OK {
			t.Fatalf("the cut was not found: %+v %v", v, err)
		}
	}
	write(b, 10)
	if _, err := b.DB().NewQuery("DELETE FROM nodkeep_steps WHERE entry IN (SELECT id FROM nodkeep_audit WHERE seq>9); DELETE FROM nodkeep_audit WHERE seq>9").Execute(); err != nil {
		t.Fatal(err)
	}
	cut(b)
	write(b, 6)
	cut(b)
	_ = b.App.App.(interface{ ClearBootstrap() error }).ClearBootstrap()
	b = openIn(t, dir, tools.Config{}, newLab())
	cut(b)
	write(b, 2)
	cut(b)
	if _, err := b.Runner.Accept(t.Context(), b.ann, "restored from a backup"); err != nil {
		t.Fatal(err)
	}
	b.wellFormed(t)
	write(b, 2)
	b.wellFormed(t)
}

// TestCrashBeforeHead: entries that were committed but not told to the head
// are no alarm, and the head catches up at the next start.
func TestCrashBeforeHead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	b := openIn(t, dir, tools.Config{}, newLab())
	b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	path := tools.HeadFile(dir)
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	}
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err := b.Runner.Verify(t.Context()); err != nil || !v.OK || v.Beyond != 3 {
		t.Fatalf("%+v %v", v, err)
	}
	b.Runner.ForgetHead()
	b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	if v, err := b.Runner.Verify(t.Context()); err != nil || !v.OK || v.Beyond != 0 {
		t.Fatalf("%+v %v", v, err)
	}
}

// TestHeadTakenAway: a missing head is told and never made up.
func TestHeadTakenAway(t *testing.T) {
	b := open(t, tools.Config{})
	b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	if err := os.Remove(tools.HeadFile(b.DataDir())); err != nil {
		t.Fatal(err)
	}
	b.Runner.ForgetHead()
	b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	if v, err := b.Runner.Verify(t.Context()); err != nil || v.OK || !strings.Contains(v.Problem, "head file") {
		t.Errorf("%+v %v", v, err)
	}
}

// TestErasing keeps the chain verifiable and leaves nothing to read.
func TestErasing(t *testing.T) {
	b := open(t, tools.Config{})
	for i := range 5 {
		b.do(add("lab_tags", map[string]any{"name": fmt.Sprint("private ", i)}, nil))
	}
	if _, err := b.try(b.bob, b.write(add("lab_tags", map[string]any{"name": "bob's"}, nil))); err != nil {
		t.Fatal(err)
	}
	n, err := b.Runner.ErasePerson(t.Context(), b.ann.Person)
	if err != nil || n != 6 { // five writes and the making of her account
		t.Fatal(n, err)
	}
	if v, err := b.Runner.Verify(t.Context()); err != nil || !v.OK || v.Erased != 6 {
		t.Fatalf("%+v %v", v, err)
	}
	var left int
	if err := b.DB().NewQuery("SELECT count(*) FROM nodkeep_steps WHERE after LIKE '%private%' OR after LIKE '%ann@%'").Row(&left); err != nil || left != 0 {
		t.Error(left, err)
	}
	if n, err := b.Runner.EraseBefore(t.Context(), time.Now().Add(time.Hour)); err != nil || n == 0 {
		t.Error(n, err)
	}
	if v, err := b.Runner.Verify(t.Context()); err != nil || !v.OK {
		t.Fatalf("%+v %v", v, err)
	}
	// An erasure says what was erased: without it, the emptied are found.
	if _, err := b.DB().NewQuery("UPDATE nodkeep_audit SET args='[]' WHERE kind='erasure'").Execute(); err != nil {
		t.Fatal(err)
	}
	if v, _ := b.Runner.Verify(t.Context()); v.OK {
		t.Error("not found")
	}
}

// TestRefusalsAreAudited: one entry each, nothing written.
func TestRefusalsAreAudited(t *testing.T) {
	l := newLab()
	l.rules["lab_groups"] = tools.Rule{Was: "name = 'never'", Becomes: "name = 'never'"}
	b := openIn(t, filepath.Join(t.TempDir(), "data"), tools.Config{}, l)
	big := []byte(`{"code":"` + strings.Repeat("x", 5<<20) + `"}`)
	suspended := b.As("carl")
	rec := b.Member("carl")
	rec.Set("status", "suspended")
	if err := b.Save(rec); err != nil {
		t.Fatal(err)
	}
	none := "none"
	for name, row := range map[string]struct {
		actor tools.Actor
		inv   tools.Invocation
		kind  tools.Kind
	}{
		"malformed":       {b.ann, tools.Invocation{Tool: "lab_write", Args: []byte(`{"code":`)}, tools.Invalid},
		"twice the field": {b.ann, tools.Invocation{Tool: "lab_write", Args: []byte(`{"code":"a","code":"b"}`)}, tools.Invalid},
		"wrong type":      {b.ann, tools.Invocation{Tool: "lab_write", Args: []byte(`{"code":1}`)}, tools.Invalid},
		"unknown field":   {b.ann, tools.Invocation{Tool: "lab_write", Args: []byte(`{"code":"a","x":1}`)}, tools.Invalid},
		"missing field":   {b.ann, tools.Invocation{Tool: "lab_write"}, tools.Invalid},
		"a list":          {b.ann, tools.Invocation{Tool: "lab_write", Args: []byte(`[1]`)}, tools.Invalid},
		"too large":       {b.ann, tools.Invocation{Tool: "lab_write", Args: big}, tools.TooLarge},
		"unknown tool":    {b.ann, tools.Invocation{Tool: "lab_none"}, tools.NotFound},
		"no record":       {b.ann, b.write(update("lab_tags", &none, nil)), tools.NotFound},
		"rule":            {b.ann, b.write(add("lab_groups", map[string]any{"name": "g"}, nil)), tools.Forbidden},
		"panic":           {b.ann, b.write(func(*tools.Call) error { panic("at the disco") }), tools.Internal},
		"no collection":   {b.ann, b.write(add("nowhere", nil, nil)), tools.Internal},
		"another's book":  {b.ann, b.write(add("nodkeep_audit", nil, nil)), tools.Forbidden},
		"an account":      {b.ann, b.write(add("users", map[string]any{"handle": "eve"}, nil)), tools.Forbidden},
		"suspended":       {suspended, b.write(add("lab_tags", nil, nil)), tools.Forbidden},
		"nobody":          {tools.Actor{Door: tools.DoorWeb}, b.write(add("lab_tags", nil, nil)), tools.Unauthorized},
		"an agent":        {tools.Actor{Person: b.ann.Person, Agent: "a", Door: tools.DoorMCP}, b.write(add("lab_tags", nil, nil)), tools.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			before, entries := b.dump(), b.audits(state(row.kind))
			_, err := b.Runner.Apply(t.Context(), row.actor, "", row.inv)
			if tools.KindOf(err) != row.kind {
				t.Errorf("%v is %s, want %s", err, tools.KindOf(err), row.kind)
			}
			if n := b.audits(state(row.kind)); n != entries+1 {
				t.Errorf("%d entries", n-entries)
			}
			if d := differs(before, b.dump()); d != "" {
				t.Error(d)
			}
		})
	}
	var large int
	if err := b.DB().NewQuery("SELECT max(length(args)) FROM nodkeep_audit").Row(&large); err != nil || large > 16<<10 {
		t.Error(large, err)
	}
	b.wellFormed(t)
}

// state is that of the entry of a call that came to nothing.
func state(k tools.Kind) string {
	if k == tools.Internal || k == tools.Limit {
		return "failed"
	}
	return "refused"
}

// TestChainRecomputedWithoutKey: whoever has the database and the code, but not
// the key, cannot write a chain that fits.
func TestChainRecomputedWithoutKey(t *testing.T) {
	b := open(t, tools.Config{})
	for i := range 5 {
		b.do(add("lab_tags", map[string]any{"name": fmt.Sprint("t", i)}, nil))
	}
	b.wellFormed(t)
	forger, err := tools.LoadKeys(b.DataDir(), strings.Repeat("guess", 10))
	if err != nil {
		t.Fatal(err)
	}
	if err := tools.Recompute(b.App, forger, "UPDATE nodkeep_audit SET tool = 'forged' WHERE seq = 5"); err != nil {
		t.Fatal(err)
	}
	if v, err := b.Runner.Verify(t.Context()); err != nil || v.OK {
		t.Errorf("not found: %+v %v", v, err)
	}
	// With the key it would be a chain: what is not found is the test's point.
	own, err := tools.LoadKeys(b.DataDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := tools.Recompute(b.App, own, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	if v, err := b.Runner.Verify(t.Context()); err != nil || strings.Contains(v.Problem, "was changed") {
		t.Errorf("the recomputation itself is wrong: %+v %v", v, err)
	}
}

// TestDamagedHead: an empty or garbled head file is told; writes go on, and
// the operator accepts.
func TestDamagedHead(t *testing.T) {
	for _, damage := range []string{"", "garbage\n", "5 short\n", "-3 x\n"} {
		b := open(t, tools.Config{})
		b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
		if err := os.WriteFile(tools.HeadFile(b.DataDir()), []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		b.Runner.ForgetHead()
		b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
		if v, err := b.Runner.Verify(t.Context()); err != nil || v.OK || !strings.Contains(v.Problem, "head file") {
			t.Errorf("%q: %+v %v", damage, v, err)
		}
		if _, err := b.Runner.Accept(t.Context(), b.ann, "mended"); err != nil {
			t.Fatal(err)
		}
		b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
		b.wellFormed(t)
	}
}

// TestSwallowedRefusal: a tool that ignores that its record breaks the change
// rule does not get to keep it.
func TestSwallowedRefusal(t *testing.T) {
	l := newLab()
	l.rules["lab_groups"] = tools.Rule{Becomes: "name = 'never'"}
	b := openIn(t, filepath.Join(t.TempDir(), "data"), tools.Config{}, l)
	_, err := b.Runner.Apply(t.Context(), b.ann, "", b.write(func(c *tools.Call) error {
		_ = add("lab_groups", map[string]any{"name": "g"}, nil)(c)
		return nil
	}))
	if tools.KindOf(err) != tools.Forbidden || b.count("lab_groups") != 0 {
		t.Error(err, b.count("lab_groups"))
	}
}
