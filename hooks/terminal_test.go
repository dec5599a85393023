package hooks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestAskOnTerminal deletes with somebody there to answer.
func TestAskOnTerminal(t *testing.T) {
	rows := []struct {
		answer string
		gone   bool
	}{{"y\n", true}, {"Yes\n", true}, {"sí\n", true}, {"\n", false}, {"n\n", false}, {"", false}, {"yellow\n", false}}
	for _, row := range rows {
		t.Run(row.answer, func(t *testing.T) {
			i := newInstance(t)
			ann := i.token("ann")
			id, _ := i.add(ann, "Net", `,"notes":"\u202eflix"`)
			i.Stdin, i.Terminal = strings.NewReader(row.answer), func() bool { return true }
			i.root().SetArgs([]string{"call", "household_subscription_delete", `{"id":"` + id + `"}`, "--as", "ann"})
			err := i.root().ExecuteContext(context.Background())
			if _, is := errors.AsType[failure](err); (err == nil) != row.gone || (err != nil && !is) {
				t.Errorf("got %v", err)
			}
			if !strings.Contains(i.err.String(), "Net") || !strings.Contains(i.err.String(), "[y/N]") {
				t.Errorf("no card: %q", i.err.String())
			}
			status, _ := i.call("household_subscription_get", ann, `{"id":"`+id+`"}`)
			if (status == 404) != row.gone {
				t.Errorf("status %d after %q", status, row.answer)
			}
		})
	}
}

func TestDoorOfCommands(t *testing.T) {
	i := newInstance(t)
	status, a := i.local("POST", "/tools/household_category_add", "ann", `{"name":"Books"}`)
	want(t, status, a, 200, "")
	_, list := i.web("GET", prefix+"/audit", i.token("ann"), "")
	if list.str("items", "0", "actor", "door") != string(tools.DoorCLI) {
		t.Errorf("%s", list)
	}
	// An account that a command makes is journaled at its door.
	var door string
	if err := i.pb.DB().NewQuery("SELECT door FROM nodkeep_audit WHERE tool = 'nodkeep_account_add' ORDER BY seq LIMIT 1").Row(&door); err != nil || door != "cli" {
		t.Errorf("%q, %v", door, err)
	}
}

func TestAccounts(t *testing.T) {
	i := newInstance(t)
	for body, kind := range map[string]tools.Kind{
		`{"handle":""}`:                                      tools.Invalid,
		`{"handle":"x"}`:                                     tools.Invalid,
		`{"handle":"a b"}`:                                   tools.Invalid,
		`{"handle":"a@b.example"}`:                           tools.Invalid,
		`{"handle":"cy","email":"no address"}`:               tools.Invalid,
		`{"handle":"cy","email":"ann@example.com"}`:          tools.Conflict,
		`{"handle":"cy","email":" Ann@Example.com"}`:         tools.Conflict,
		`{"handle":"cy","language":"fr"}`:                    tools.Invalid,
		`{"handle":"cy","password":"short"}`:                 tools.Invalid,
		`{"handle":"Ann"}`:                                   tools.Conflict,
		`{"handle":"cy","status":"approved"}`:                tools.Invalid,
		`{"handle":"cy"`:                                     tools.Invalid,
		`{"handle":"` + strings.Repeat("x", 5000) + `"}`:     tools.Invalid,
		`{"handle":"cy","email":"a@b.example","operator":1}`: tools.Invalid,
	} {
		_, a := i.local("POST", "/operator/accounts", "", body)
		if a.str("data", "kind") != string(kind) {
			t.Errorf("%.80s: %s", body, a)
		}
	}
	status, a := i.local("POST", "/operator/accounts", "", `{"handle":" Cy ","operator":true}`)
	want(t, status, a, 200, "")
	status, in := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"cy","password":"`+a.str("output", "password")+`"}`)
	want(t, status, in, 200, "")
	status, me := i.web("GET", prefix+"/me", in.str("token"), "")
	if status != 200 || me.str("handle") != "cy" || me.at("operator") != true {
		t.Errorf("%s", me)
	}
}

// TestBackup makes one while a socket and a lock lie in the folder.
func TestBackup(t *testing.T) {
	i := newInstance(t)
	s, err := i.listenLocal(i.handler)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := i.pb.CreateBackup(t.Context(), "now.zip"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(i.dir, core.LocalBackupsDirName, "now.zip")); err != nil || info.Size() == 0 {
		t.Error(err)
	}
}

func TestCardsDoNotPlayWithTheTerminal(t *testing.T) {
	for in, want := range map[string]string{
		"Cancel Netflix\n  15,99 €, Ñandú":                     "Cancel Netflix\n  15,99 €, Ñandú",
		"a\x1b[2Jb\rc\x00d\u0085e\u202ef\u200bg\ufeffh\u2066i": "a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffdh\ufffdi",
	} {
		if got := visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
