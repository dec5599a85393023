package gate_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// surfacesIn names the folder for the process that decides.
const surfacesIn = "NODKEEP_TEST_SURFACES"

// TestThreeSurfacesAndCrashes: a thousand proposals, decided by three surfaces at
// once in random order, in a process that is killed again and again. Each is
// applied at most once, what is applied is there, and the audit holds.
func TestThreeSurfacesAndCrashes(t *testing.T) {
	if dir := os.Getenv(surfacesIn); dir != "" {
		decideAll(t, dir)
		return
	}
	n := 1000
	if testing.Short() {
		n = 100
	}
	dir := filepath.Join(t.TempDir(), "data")
	seed := reopen(t, dir, gate.Config{Pending: n}, lab{})
	a, _ := seed.token(seed.ann, gate.ModeAsk, dbx.Params{"daily_writes": 2 * n})
	for i := range n {
		seed.propose(a, call("save", thing{Name: fmt.Sprintf("p%04d", i)}))
	}
	if err := seed.ClearBootstrap(); err != nil {
		t.Fatal(err)
	}
	kills := 0
	for round := 0; ; round++ {
		if round > n {
			t.Fatal("it comes to no end")
		}
		done, err := surfaces(dir, time.Duration((20+rand.IntN(n))*(1+round/10))*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if done {
			break
		}
		kills++
	}
	b := reopen(t, dir, gate.Config{Pending: n}, lab{})
	var rows []struct {
		State string `db:"state"`
		By    string `db:"by"`
		Audit string `db:"audit"`
		Name  string `db:"name"`
		Times int    `db:"times"`
	}
	err := b.DB().NewQuery(`SELECT p.state, p.by, p.audit, json_extract(p.shown, '$[0].args.name') AS name,
		(SELECT count(*) FROM lab_things WHERE name = json_extract(p.shown, '$[0].args.name')) AS times FROM nodkeep_proposals p`).All(&rows)
	if err != nil || len(rows) != n {
		t.Fatalf("%d proposals, %v", len(rows), err)
	}
	count := map[string]int{}
	for _, r := range rows {
		count[r.State+" by "+r.By]++
		if want := map[string]int{"applied": 1, "discarded": 0}; r.Times != want[r.State] || (r.State != "applied" && r.State != "discarded") {
			t.Errorf("%s is %s by %s, and there %d times", r.Name, r.State, r.By, r.Times)
		}
	}
	t.Logf("%d kills; %v", kills, count)
	for _, by := range []string{"web", "client", "telegram"} {
		if count["applied by "+by] == 0 {
			t.Errorf("nothing was applied by %s", by)
		}
	}
	if kills == 0 {
		t.Error("nothing was killed: the test shows nothing")
	}
	v, err := b.Runner.Verify(t.Context())
	if err != nil || v.Problem != "" {
		t.Errorf("the audit: %+v, %v", v, err)
	}
	if got := b.entries(a.Agent, "applied"); got != count["applied by web"]+count["applied by client"]+count["applied by telegram"] {
		t.Errorf("the audit has %d entries that were applied: %v", got, count)
	}
}

// surfaces runs a process that decides, and kills it after a time, counted from
// when it begins. It says whether that process had come to the end by itself.
func surfaces(dir string, life time.Duration) (done bool, err error) {
	c := exec.Command(os.Args[0], "-test.run=^TestThreeSurfacesAndCrashes$", "-test.v")
	c.Env = append(os.Environ(), surfacesIn+"="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := c.Start(); err != nil {
		return false, err
	}
	lines := bufio.NewScanner(out)
	var timer *time.Timer
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		switch {
		case strings.Contains(lines.Text(), "deciding"):
			timer = time.AfterFunc(life, func() { _ = c.Process.Kill() })
		case strings.Contains(lines.Text(), "all are decided"):
			done = true
		}
	}
	err = c.Wait()
	if timer == nil || (err == nil && !done) {
		return false, fmt.Errorf("the process that decides: %w: %s", err, strings.Join(said, "\n"))
	}
	timer.Stop()
	return done && err == nil, nil
}

// decideAll is what the process does: three surfaces go through what waits,
// each in an order of its own, and mostly say yes.
func decideAll(t *testing.T, dir string) {
	b := reopen(t, dir, gate.Config{Pending: 1000}, lab{})
	ctx := context.Background()
	var ids []string
	if err := b.DB().Select("id").From("nodkeep_proposals").Where(dbx.HashExp{"state": "pending"}).Column(&ids); err != nil {
		t.Fatal(err)
	}
	var token string
	if err := b.DB().Select("id").From("nodkeep_tokens").Row(&token); err != nil {
		t.Fatal(err)
	}
	agent := gate.Agent{Actor: tools.Actor{Person: b.ann.Person, Door: tools.DoorMCP, Agent: token, AgentName: "Desk", Token: token}, Mode: gate.ModeAsk, DailyWrites: 2000}
	fmt.Println("deciding", len(ids))
	var wg sync.WaitGroup
	for _, door := range []tools.Door{tools.DoorWeb, tools.DoorTelegram, tools.DoorMCP} {
		wg.Go(func() {
			who := tools.Actor{Person: b.ann.Person, Door: door}
			for _, i := range rand.Perm(len(ids)) {
				p, err := b.g.Status(ctx, agent, ids[i])
				if err == nil && p.State == gate.Pending {
					err = answer(ctx, b, agent, who, p)
				}
				if kind := tools.KindOf(err); err != nil && kind != tools.Conflict && kind != tools.Forbidden {
					t.Errorf("%s: %v", door, err)
				}
			}
		})
	}
	wg.Wait()
	if !t.Failed() {
		fmt.Println("all are decided")
	}
}

// answer says yes in nine of ten cases, on one surface.
func answer(ctx context.Context, b *bench, a gate.Agent, who tools.Actor, p gate.Proposal) error {
	yes := rand.IntN(10) > 0
	if who.Door == tools.DoorMCP {
		inv := tools.Invocation{Tool: p.Items[0].Tool, Args: p.Items[0].Args}
		state, err := b.g.Form(ctx, a, p, inv)
		if err != nil {
			return err
		}
		_, err = b.g.Answered(ctx, a, inv, state, gate.Accept, yes, "")
		return err
	}
	full, err := b.g.Proposal(ctx, who, p.ID)
	if err != nil || full.State != gate.Pending {
		return err
	}
	if !yes {
		_, err = b.g.Discard(ctx, who, p.ID, "no")
		return err
	}
	now, err := b.g.Confirm(ctx, who, p.ID, full.Digest, nil)
	if err == nil && now.State != gate.Applied {
		return errors.New("confirmed, and yet " + string(now.State))
	}
	return err
}
