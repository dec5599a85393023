package hooks

import (
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExportCommand: what it writes, what it refuses, and that the living
// server answers as the folder does.
func TestExportCommand(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	m.ok("account", "add", "ben")
	m.ok("call", "household_subscription_add", netflix, "--as", "ana")
	m.ok("call", "household_subscription_add", strings.Replace(netflix, `{"name":"Netflix"`, `{"name":"Secret","private":true`, 1), "--as", "ben")
	dir := t.TempDir()
	file, tables := filepath.Join(dir, "household.json"), filepath.Join(dir, "tables")
	alone := m.ok("export", "--as", "ana")
	if alone.len("household", "subscriptions") != 1 || alone.str("household", "subscriptions", "0", "name") != "Netflix" {
		t.Errorf("%s", alone)
	}
	if a := m.ok("export", "--as", "ana", "--out", file); a.str("files", "0") != file {
		t.Errorf("%s", a)
	}
	if a := m.ok("export", "--as", "ana", "--format", "csv"); a.len("files") != 1 || !strings.HasPrefix(a.str("files", "0", "content"), "\ufeffid,name,") {
		t.Errorf("%s", a)
	}
	m.ok("export", "--as", "ana", "--format", "csv", "--out", tables)
	refused := func(code int, in string, args ...string) {
		t.Helper()
		if r := m.run(args...); r.code != code || r.out != "" || !strings.Contains(r.err, in) {
			t.Errorf("%v: code %d, out %q, err %q; want %d and %q", args, r.code, r.out, r.err, code, in)
		}
	}
	refused(1, "--force", "export", "--as", "ana", "--out", file)
	refused(1, "--force", "export", "--as", "ana", "--format", "csv", "--out", tables)
	refused(1, "is a folder", "export", "--as", "ana", "--out", tables, "--force")
	refused(1, "no such file", "export", "--as", "ana", "--out", filepath.Join(dir, "none", "x.json"))
	refused(1, "not a directory", "export", "--as", "ana", "--format", "csv", "--out", file)
	refused(1, "unauthorized", "export", "--as", "nobody")
	refused(2, "json or csv", "export", "--as", "ana", "--format", "xml")
	refused(2, `"as"`, "export")
	refused(2, "one argument too many", "export", "x", "--as", "ana")
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	live := m.serve()
	defer live.stop(t)
	m.ok("export", "--as", "ana", "--out", file, "--force")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(alone.String(), parse(t, strings.NewReader(string(b))).String()); diff != "" {
		t.Errorf("the server answers otherwise than the folder: %s", diff)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("%v stay, %v", left, err)
	}
}

// TestRestoreCommand: what it refuses, that it asks, and that what was taken
// stays when a later part is refused, until the file is mended.
func TestRestoreCommand(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	live := m.serve()
	defer live.stop(t)
	dir := t.TempDir()
	write := func(content string) string {
		path := filepath.Join(dir, "household.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const records = 1200
	list := make([]string, records)
	for n := range list {
		list[n] = fmt.Sprintf(`{"id":"%015d","name":"S%d","amount":100,"currency":"EUR","cycle":"P1M","first_date":"2025-01-31","status":"active"}`, n, n)
	}
	export := func() string {
		return `{"household":{"settings":{"currency":"EUR","time_zone":"UTC","language":"en"},"subscriptions":[` + strings.Join(list, ",\n  ") + `],"version":1}}`
	}
	refused := func(in, content string, more ...string) string {
		t.Helper()
		r := m.run(append([]string{"restore", write(content), "--as", "ana"}, more...)...)
		if r.code != 1 || r.out != "" || !strings.Contains(r.err, in) {
			t.Errorf("%.80s: code %d, out %.200q, err %.600q; want %q", content, r.code, r.out, r.err, in)
		}
		return r.err
	}
	count := func() int {
		t.Helper()
		n := 0
		for _, name := range []string{"active", "cancelled"} {
			v, _ := m.ok("call", "household_overview", "--as", "ana").at("output", name).(float64)
			n += int(v)
		}
		return n
	}
	for content, in := range map[string]string{
		``:                                   "not what export wrote",
		`[]`:                                 "not what export wrote",
		`{"household":{"version":1}`:         "not what export wrote",
		`{"household":1,"household":2}`:      "not what export wrote",
		`{}`:                                 "nothing to restore",
		`{"household":5}`:                    "household is no export",
		`{"household":{}}`:                   "household.version",
		`{"household":{"version":99}}`:       "household.version",
		`{"study":{"version":1}}`:            `"study"`,
		`{"household":{"version":1},"x":1}`:  `"x"`,
		`{"household":{"version":1,"x":[]}}`: "household.x",
		export():                             "give --yes",
	} {
		more := []string{"--yes"}
		if in == "give --yes" {
			more = nil
		}
		refused(in, content, more...)
	}
	if r := m.run("restore", dir, "--as", "ana"); r.code != 1 || !strings.Contains(r.err, "is a folder") {
		t.Errorf("%+v", r)
	}
	if r := m.run("restore", "--as", "ana"); r.code != 2 || !strings.Contains(r.err, "give a FILE") {
		t.Errorf("%+v", r)
	}
	if p := m.ok("restore", write(export()), "--as", "ana", "--preview"); p.at("output", "created", "subscriptions") != 999.0 || count() != 0 {
		t.Errorf("%.300s", p)
	}

	good := list[records-1]
	list[records-1] = strings.Replace(good, "P1M", "P0M", 1)
	said := refused("cycle", export(), "--yes")
	if !strings.Contains(said, "1 of 2 parts were restored") || !strings.Contains(said, " undo ") || count() != 999 {
		t.Errorf("%d are there: %s", count(), said)
	}
	list[records-1] = good
	file := write(export())
	done := m.ok("restore", file, "--as", "ana", "--yes")
	if done.len("audit") != 2 || done.at("parts", "0", "unchanged") != 1000.0 || done.at("parts", "1", "created", "subscriptions") != 201.0 || count() != records {
		t.Errorf("%s", done)
	}
	again := m.ok("export", "--as", "ana")
	var want any
	if err := json.Unmarshal([]byte(export()), &want); err != nil {
		t.Fatal(err)
	}
	ids := func(a answer) (all []string) {
		for n := range a.at("household", "subscriptions").([]any) {
			all = append(all, a.at("household", "subscriptions").([]any)[n].(map[string]any)["id"].(string))
		}
		slices.Sort(all)
		return all
	}
	if diff := cmp.Diff(ids(answer{want}), ids(again)); diff != "" {
		t.Error(diff)
	}
}
