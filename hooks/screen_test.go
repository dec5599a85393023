package hooks

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// command runs a command line in process, as if its output were a screen.
func (i *instance) command(ctx context.Context, args ...string) (out, stderr string, err error) {
	i.t.Helper()
	i.out.Reset()
	i.err.Reset()
	i.Screen = func() bool { return true }
	i.root().SetArgs(args)
	err = i.root().ExecuteContext(ctx)
	return i.out.String(), i.err.String(), err
}

// TestScreen: people read sentences, and --json still gives them JSON.
func TestScreen(t *testing.T) {
	i := newInstance(t)
	// In this order: a flag stays set for the commands that come after.
	rows := []struct {
		args []string
		in   []string
	}{
		{[]string{"call", "household_subscription_add", netflix, "--as", "ann"}, []string{"Add Netflix", "Done. Until ", " --as ann\n"}},
		{[]string{"tools", "--as", "ann"}, []string{"household_overview", "read", "Overview"}},
		{[]string{"audit", "list", "--as", "ann", "--limit", "1", "--tool", "household_subscription_add"}, []string{"applied", "cli", "create Netflix"}},
		{[]string{"call", "household_subscription_add", netflix, "--as", "ann", "--preview"}, []string{"Add Netflix", "Nothing was changed.", "--yes="}},
		{[]string{"doctor"}, []string{"ok    audit"}},
	}
	for _, row := range rows {
		out, stderr, err := i.command(t.Context(), row.args...)
		if err != nil {
			t.Errorf("%v: %v %s", row.args, err, stderr)
		}
		for _, in := range row.in {
			if !strings.Contains(out, in) {
				t.Errorf("%v prints no %q:\n%s", row.args, in, out)
			}
		}
		if strings.HasPrefix(out, "{") {
			t.Errorf("%v prints JSON to a person", row.args)
		}
	}
	out, _, err := i.command(t.Context(), "tools", "--as", "ann", "--json")
	if a := parse(t, strings.NewReader(out)); err != nil || a.len("items") == 0 {
		t.Errorf("%v %s", err, a)
	}
}

// TestScreenNamesOthers: an operator sees that others did something, not what.
func TestScreenNamesOthers(t *testing.T) {
	i := newInstance(t)
	for _, body := range []string{`{"handle":"cy","operator":true}`, `{"handle":"dee"}`} {
		status, a := i.local("POST", "/operator/accounts", "", body)
		want(t, status, a, 200, "")
	}
	i.add(i.token("ann"), "secretly", `,"private":true`)
	out, stderr, err := i.command(t.Context(), "audit", "list", "--as", "cy", "--limit", "1")
	if err != nil || !strings.HasSuffix(out, "something of others\n") || strings.Contains(out, "secretly") {
		t.Errorf("%v, %s, %s", err, stderr, out)
	}
}

// TestScreenRefuses: people read why in a sentence, and what stands in the way;
// --json still gives them all of it.
func TestScreenRefuses(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	id, audit := i.add(ann, "Netflix", "")
	status, a := i.call("household_charge_add", ann, `{"subscription":"`+id+`","date":"2026-01-14","amount":"15.99"}`)
	want(t, status, a, 200, "")
	charge := a.str("output", "id")
	// In this order: a flag stays set for the commands that come after.
	rows := []struct {
		args []string
		in   []string
	}{
		{[]string{"call", "household_overvie", "--as", "ann"}, []string{"There is no tool household_overvie. Did you mean household_overview?\n"}},
		{[]string{"call", "household_subscription_delete", `{"id":"` + id + `"}`, "--as", "ann"}, []string{"Delete Netflix\n", "\n  --yes="}},
		{[]string{"undo", audit, "--as", "ann"}, []string{"stands in the way", "\n  household_charges  " + charge + "  ann  It was linked since"}},
	}
	for _, row := range rows {
		out, stderr, err := i.command(t.Context(), row.args...)
		if !errors.Is(err, errSaid) || out != "" {
			t.Errorf("%v: %v, %s", row.args, err, out)
		}
		for _, in := range row.in {
			if !strings.Contains(stderr, in) {
				t.Errorf("%v says no %q:\n%s", row.args, in, stderr)
			}
		}
		if strings.Contains(stderr, "{") {
			t.Errorf("%v gives JSON to a person:\n%s", row.args, stderr)
		}
	}
	_, stderr, _ := i.command(t.Context(), "call", "household_overvie", "--as", "ann", "--json")
	if a := parse(t, strings.NewReader(stderr)); a.str("data", "kind") != string(tools.NotFound) {
		t.Errorf("%s", stderr)
	}
}

// TestStopped: the first Ctrl-C ends a command that waits for a person.
func TestStopped(t *testing.T) {
	i := newInstance(t)
	id, _ := i.add(i.token("ann"), "Netflix", "")
	before := i.entries()
	for _, args := range [][]string{
		{"call", "household_subscription_delete", `{"id":"` + id + `"}`, "--as", "ann"},
		{"call", "household_category_add", "-", "--as", "ann"},
	} {
		never, w := io.Pipe()
		i.Stdin, i.Terminal = never, func() bool { return true }
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(300*time.Millisecond, stop)
		_, _, err := i.command(ctx, args...)
		if _, is := errors.AsType[failure](err); !is || !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%v: %v", args, err)
		}
		_ = w.Close()
	}
	if i.entries() != before {
		t.Error("something was written")
	}
}
