package hooks

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// TestReadLimits: each is read, and one that would be none stops the start.
func TestReadLimits(t *testing.T) {
	read := func(env ...string) (assistant.Limits, []problem) {
		s, problems := readSettings(environment(env...), nil, filepath.Join(t.TempDir(), envFile), nil, func([]string) []string { return nil })
		return s.Limits, problems
	}
	got, problems := read("NODKEEP_TURN_CALLS=7", "NODKEEP_TURN_CHANGES=8", "NODKEEP_MESSAGE_BYTES=900", "NODKEEP_RESULT_BYTES=10000", "NODKEEP_CALL_SECONDS=11", "NODKEEP_TURN_SECONDS=12", "NODKEEP_MESSAGE_BURST=13", "NODKEEP_MESSAGE_EVERY=14")
	want := assistant.Limits{Calls: 7, Changes: 8, Message: 900, Result: 10_000, Call: 11 * time.Second, Turn: 12 * time.Second, Burst: 13, Every: 14 * time.Second}
	if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
		t.Error(diff, problems)
	}
	for _, s := range limitSettings() {
		l := assistant.DefaultLimits()
		for _, value := range []string{fmt.Sprint(s.least - 1), fmt.Sprint(s.most + 1), "1.5", "many"} {
			got, problems := read(s.name + "=" + value)
			if len(problems) != 1 || problems[0].Name != s.name || !strings.Contains(problems[0].Fix, fmt.Sprintf("from %d to %d", s.least, s.most)) || !strings.Contains(problems[0].Fix, fmt.Sprintf("for %d.", s.of(&l))) {
				t.Errorf("%s=%s: %v", s.name, value, problems)
			}
			if diff := cmp.Diff(l, got); diff != "" {
				t.Error(diff)
			}
		}
		for _, n := range []int{s.least, s.most} {
			if got, problems := read(fmt.Sprintf("%s=%d", s.name, n)); len(problems) > 0 || s.of(&got) != n {
				t.Errorf("%s=%d: %v %v", s.name, n, got, problems)
			}
		}
	}
}

// TestOperatorsSetLimits: one by one, at once, where the environment says nothing.
func TestOperatorsSetLimits(t *testing.T) {
	i := newInstance(t, "NODKEEP_TURN_CALLS=3")
	i.makeOperator("ann")
	ann := i.token("ann")
	is := assistant.DefaultLimits()
	is.Calls = 3
	now := func() {
		t.Helper()
		if diff := cmp.Diff(is, i.turnLimits()); diff != "" {
			t.Error(diff)
		}
	}
	set := func(name, value string, wantStatus int, kind tools.Kind) answer {
		t.Helper()
		status, a := i.web("POST", prefix+"/operator/settings", ann, `{"name":"`+name+`","value":"`+value+`"}`)
		want(t, status, a, wantStatus, kind)
		return a
	}
	now()
	set("NODKEEP_TURN_SECONDS", "20", 200, "")
	is.Turn = 20 * time.Second
	now()
	set("NODKEEP_MESSAGE_BYTES", "200", 200, "")
	is.Message = 200
	now()
	if a := set("NODKEEP_MESSAGE_BYTES", "99", 400, tools.Invalid); !strings.Contains(a.str("message"), "from 100 to 100000") {
		t.Errorf("%s", a)
	}
	set("NODKEEP_MESSAGE_BYTES", "100001", 400, tools.Invalid)
	set("NODKEEP_TURN_CALLS", "9", 409, tools.Conflict) // the environment's
	now()
	set("NODKEEP_TURN_SECONDS", "", 200, "")
	is.Turn = assistant.DefaultLimits().Turn
	now()
	// What gets in past the tool is within bounds all the same.
	col, err := i.pb.FindCollectionByNameOrId(accounts.Settings)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"NODKEEP_RESULT_BYTES": "1", "NODKEEP_MESSAGE_EVERY": "9999999", "NODKEEP_TURN_CHANGES": "many"} {
		rec := core.NewRecord(col)
		rec.Set("name", name)
		rec.Set("value", value)
		if err := i.pb.Save(rec); err != nil {
			t.Fatal(err)
		}
	}
	is.Result, is.Every = 1000, time.Hour
	now()
}
