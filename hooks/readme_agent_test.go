package hooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/client"
)

// TestReadmeAgent lets an agent in as README says, and then starts what the
// client was told to start: it must see the tools, without a server and with one.
func TestReadmeAgent(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Let an agent in\n")
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(section)
	if block == nil {
		t.Fatal("README does not say how to let an agent in")
	}
	m := newMachine(t)
	m.ok("account", "add", "ana", "--operator")
	var token string
	var told answer
	for line := range strings.Lines(block[1]) {
		line, _, _ = strings.Cut(line, "#")
		set, command, ok := strings.Cut(line, "./nodkeep ")
		if !ok {
			t.Fatalf("this is no command: %q", line)
		}
		if strings.HasPrefix(set, client.Variable+"=") {
			m.env = []string{client.Variable + "=" + token}
		}
		args := strings.Fields(command)
		a := m.ok(args...)
		switch {
		case args[0] == "token":
			token = a.str("token")
		case strings.Contains(command, "--test"):
			if a.at("ok") != true {
				t.Errorf("%s: %s", command, a)
			}
		case args[0] == "connect":
			told = a
		case a.len("items") != 0: // nothing waits yet
			t.Errorf("%s: %s", command, a)
		}
	}
	ways, _ := told.at("items", "0", "ways").([]any)
	var snippet string
	for _, way := range ways {
		if w := (answer{way}); w.str("transport") == "stdio" {
			snippet = w.str("snippet")
		}
	}
	if snippet == "" || token == "" {
		t.Fatalf("nothing to start: %s", told)
	}
	entry := answer{parse(t, strings.NewReader(snippet)).at("mcpServers", "nodkeep")}
	for _, served := range []bool{false, true} {
		if served {
			m.serve()
		}
		words := []string{}
		args, _ := entry.at("args").([]any)
		for _, arg := range args {
			words = append(words, arg.(string))
		}
		c := exec.Command(entry.str("command"), words...)
		c.Dir, c.Env = filepath.Dir(m.dir), []string{client.Variable + "=" + token}
		c.Stdin = strings.NewReader(strings.Join([]string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		}, "\n"))
		out, err := c.Output()
		lists := 0
		for line := range strings.Lines(string(out)) {
			if a := parse(t, strings.NewReader(line)); a.len("result", "tools") > 10 {
				lists++
			}
		}
		if err != nil || lists != 2 {
			t.Errorf("served %v: %d lists, %v: %.1000s", served, lists, err, out)
		}
	}
}
