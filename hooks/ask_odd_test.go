package hooks

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestWhoMayNotAsk: each door of the assistant, for each who is no member signed in.
func TestWhoMayNotAsk(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Say: "Hello"})
	h := k.ask("ann", assistant.Question{Client: "one", Text: "Hello?"})
	doors := [][3]string{
		{"POST", "/ask", `{"client_id":"one","text":"Hello?"}`},
		{"GET", "/ask/" + h.end.ID, ""},
		{"POST", "/ask/" + h.end.ID + "/stop", ""},
		{"GET", "/conversations", ""},
	}
	status, a := k.web("POST", prefix+"/tokens", k.token("ann"), `{"name":"Agent","mode":"trusted"}`)
	if want(t, status, a, 200, ""); a.str("output", "token") == "" {
		t.Fatal(a)
	}
	agent := a.str("output", "token")
	super := k.superuser()
	bob := k.token("bob")
	k.stand("bob", "suspended")
	for name, row := range map[string]struct {
		token  string
		status []int
	}{
		"nobody": {"", []int{401}}, "a superuser": {super, []int{403}}, "an agent": {agent, []int{401, 403}}, "a bearer": {"Bearer " + agent, []int{401, 403}}, "a suspended one": {bob, []int{401, 403}},
	} {
		for _, d := range doors {
			status, a := k.web(d[0], prefix+d[1], row.token, d[2])
			ok := false
			for _, s := range row.status {
				ok = ok || status == s
			}
			if !ok || strings.Contains(a.String(), h.end.ID) || strings.Contains(a.String(), "Hello") {
				t.Errorf("%s: %s %s: %d %s", name, d[0], d[1], status, a)
			}
		}
	}
	k.stand("bob", "approved")
	bob = k.token("bob")
	for _, d := range [][2]string{{"GET", "/ask/%"}, {"POST", "/ask/%/stop"}} {
		_, theirs := k.web(d[0], prefix+strings.Replace(d[1], "%", h.end.ID, 1), bob, "")
		status, none := k.web(d[0], prefix+strings.Replace(d[1], "%", "aaaaaaaaaaaaaaa", 1), bob, "")
		if status != 404 || theirs.String() != none.String() {
			t.Errorf("%v: %d %s, %s", d, status, theirs, none)
		}
	}
	k.script.Then(gateway.Scene{Say: "one"}, gateway.Scene{Say: "two"})
	one := k.ask("bob", assistant.Question{Text: "x", Conversation: h.end.Conversation})
	two := k.ask("bob", assistant.Question{Text: "x", Conversation: "aaaaaaaaaaaaaaa"})
	if one.err != nil || two.err != nil || one.end.Conversation == h.end.Conversation || one.kinds() != two.kinds() {
		t.Errorf("%+v %+v", one.end, two.end)
	}
	asked := k.script.Asked()
	if n := len(asked[1].Messages); n != 1 || len(asked[2].Messages) != 1 {
		t.Errorf("%d messages of a conversation of somebody else", n)
	}
}

// TestOddForms: questions with files that no browser would send.
func TestOddForms(t *testing.T) {
	k, at := overHTTP(t, "NODKEEP_MESSAGE_BURST=1000")
	k.script.Then(gateway.Scene{Say: "Hello", Always: true, When: func(gateway.Request) bool { return true }})
	part := func(header, body string) string {
		return "--b\r\nContent-Disposition: form-data; " + header + "\r\n\r\n" + body + "\r\n"
	}
	question := func(id, more string) string {
		return part(`name="question"`, `{"client_id":"`+id+`","text":"x"`+more+`}`)
	}
	const end = "--b--\r\n"
	for name, row := range map[string]struct {
		body   string
		status int
	}{
		"nothing":               {"", 400},
		"only an end":           {end, 400},
		"no end":                {question("1", ""), 400},
		"a file with no name":   {question("2", "") + part(`name="file"`, "hello") + end, 0},
		"an empty name":         {question("3", "") + part(`name="file"; filename=""`, "hello") + end, 0},
		"two with no name":      {question("4", "") + part(`name="file"`, "a") + part(`name="file"`, "b") + end, 400},
		"no name shown":         {question("5", `,"show":[""]`) + part(`name="file"`, "hello") + end, 0},
		"an empty file":         {question("6", "") + part(`name="file"; filename="a.csv"`, "") + end, 0},
		"two questions":         {question("7", "") + question("7", "") + end, 400},
		"thousands":             {strings.Repeat(part(`name="file"; filename="a"`, ""), 20000) + end, 413},
		"thousands of nothing":  {strings.Repeat(part(`name="x"`, ""), 20000) + end, 400},
		"a path":                {question("8", "") + part(`name="file"; filename="../../etc/passwd"`, "a,b\n1,2\n") + end, 0},
		"a name that is long":   {question("9", "") + part(`name="file"; filename="`+strings.Repeat("ä", 3000)+`.csv"`, "a,b\n1,2\n") + end, 0},
		"a question of a form":  {part(`name="question"; filename="q"`, `{"client_id":"10","text":"x"}`) + end, 200},
		"headers without end":   {"--b\r\n" + strings.Repeat("X: y\r\n", 100000) + end, 400},
		"a long preamble":       {strings.Repeat("x", 5<<20) + "\r\n" + question("11", "") + end, 0},
		"a question that is MB": {question("12", `,"x":"`+strings.Repeat("x", 2<<20)+`"`) + end, 413},
		"null":                  {part(`name="question"`, "null") + end, 400},
		"show everything":       {question("13", `,"show":["a","a","a"]`) + part(`name="file"; filename="a"`, "x") + end, 0},
		"records without end":   {part(`name="question"`, `{"client_id":"14","text":"x","scope":{"of":"all","records":[`+strings.Repeat(`{"collection":"household_subscriptions","id":"x"},`, 9000)+`{}]}}`) + end, 0},
	} {
		r := k.opens(http.DefaultClient, "POST", at, k.token("ann"), row.body, "Content-Type", "multipart/form-data; boundary=b")
		b, _ := io.ReadAll(r.lines)
		t.Logf("%s: %d %.200s", name, r.StatusCode, b)
		if row.status != 0 && r.StatusCode != row.status || r.StatusCode >= 500 {
			t.Errorf("%s: %d, want %d: %.300s", name, r.StatusCode, row.status, b)
		}
	}
	for _, media := range []string{"multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + strings.Repeat("b", 100), "multipart/mixed; boundary=b", ";"} {
		r := k.opens(http.DefaultClient, "POST", at, k.token("ann"), question("x", "")+end, "Content-Type", media)
		if b, _ := io.ReadAll(r.lines); r.StatusCode != 400 {
			t.Errorf("%s: %d %.300s", media, r.StatusCode, b)
		}
	}
}
