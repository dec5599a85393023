package hooks

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

func TestZZDemo(t *testing.T) {
	i := newInstance(t)
	id, _ := i.add(i.token("ann"), "Netflix", "")
	claude := i.agent("ann", "Claude Desktop", "ask")
	codex := i.agent("ann", "Codex", "trusted")
	ids := map[string]string{}
	ids["add"] = i.asks(claude, "household_subscription_add", disney).ID
	ids["update"] = i.asks(claude, "household_subscription_update", `{"id":"`+id+`","amount":"17.99","name":"Netflix Premium"}`).ID
	ids["delete"] = i.asks(codex, "household_subscription_delete", `{"id":"`+id+`"}`).ID
	ids["many"] = i.asks(claude, "household_subscription_add", `{"name":"Spotify","amount":"10.99","currency":"EUR","cycle":"P1M","first_date":"2026-02-03"}`, "household_subscription_cancel", `{"id":"`+id+`"}`, "household_category_add", `{"name":"Films"}`).ID
	undo := i.asks(claude, "household_category_add", `{"name":"Music"}`)
	ids["applied"] = undo.ID
	if _, err := i.gate.Confirm(t.Context(), tools.Actor{Person: claude.Person, Door: tools.DoorTelegram}, undo.ID, undo.Digest, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := i.pb.DB().NewQuery(`UPDATE nodkeep_tokens SET tainted = '2099-01-01 00:00:00.000Z', taint = '[]' WHERE id = {:id}`).Bind(map[string]any{"id": codex.Agent}).Execute(); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:8299")
	if err != nil {
		t.Fatal(err)
	}
	var out string
	for k, v := range ids {
		out += fmt.Sprintf("%s %s\n", k, v)
	}
	_ = os.WriteFile("/tmp/card-ids", []byte(out), 0o600)
	go http.Serve(l, i.handler)
	for {
		if _, err := os.Stat("/tmp/card-stop"); err == nil {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}
