package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilled ends a command, or the server that does its work, while it writes:
// from the first byte in the write-ahead log to right after the last. What is
// found afterwards is all of the bulk or nothing, with a chain that holds.
func TestKilled(t *testing.T) {
	m := newMachine(t)
	const n = 200
	seed := newInstanceIn(t, m.dir)
	ann := seed.token("ann")
	var ids []string
	for k := range n {
		id, _ := seed.add(ann, fmt.Sprint("S", k), "")
		ids = append(ids, `"`+id+`"`)
	}
	if err := seed.close(); err != nil {
		t.Fatal(err)
	}
	moments := []struct {
		grown int64 // of the log, in bytes
		later time.Duration
	}{
		{1, 0}, {33, 0}, {64 << 10, 0}, {128 << 10, 0}, {33, 2 * time.Millisecond}, {33, 30 * time.Millisecond},
	}
	all, none, torn := 0, 0, 0
	whole := 2 * len(moments)
	// A busy machine may be late with every kill: then again.
	for round := 0; round < whole || (round < 4*whole && (all == 0 || none == 0)); round++ {
		tag := fmt.Sprint("round", round)
		c := m.command("call", "household_subscriptions_bulk_update", `{"ids":[`+strings.Join(ids, ",")+`],"add_tags":["`+tag+`"]}`, "--as", "ann")
		victim := &server{Cmd: c}
		if round%2 == 1 { // by way of a server, which is the one to die
			victim = m.serve()
		}
		base := m.logged()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = c.Wait(); close(ended) }()
		at := moments[round/2%len(moments)]
		m.waitLogged(base+at.grown, ended)
		time.Sleep(at.later)
		_ = victim.Process.Kill()
		<-ended
		if victim.Cmd != c {
			_ = victim.Wait()
		}
		left := m.logged()
		switch got := m.tagged(tag); got {
		case 0:
			none++
			if left > base+32 {
				torn++ // the log held a part of it
			}
		case n:
			all++
		default:
			t.Fatalf("round %d wrote %d of %d", round, got, n)
		}
		if a := m.ok("audit", "verify"); a.at("ok") != true {
			t.Fatalf("round %d: %s", round, a)
		}
	}
	t.Logf("%d kills left all, %d none, %d of these with a part in the log", all, none, torn)
	if all == 0 || none == 0 {
		t.Error("the kills did not fall on both sides of the commit: the test shows nothing")
	}
}

// logged is the size of the write-ahead log, 0 when there is none.
func (m *machine) logged() int64 {
	info, err := os.Stat(filepath.Join(m.dir, "data.db-wal"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// waitLogged looks without a pause until the log has that size or the command
// has ended: a commit writes for less than a millisecond.
func (m *machine) waitLogged(size int64, ended chan struct{}) {
	for m.logged() < size {
		select {
		case <-ended:
			return
		default:
		}
	}
}

func (m *machine) tagged(tag string) int {
	a := m.ok("call", "household_subscription_list", `{"tag":"`+tag+`","limit":200}`, "--as", "ann")
	return a.len("output", "items")
}
