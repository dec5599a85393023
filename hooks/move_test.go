package hooks

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMoveHousehold runs what docs/howto/move-a-household.md shows: the first
// and the last block on the old machine, the other on the new one.
func TestMoveHousehold(t *testing.T) {
	page, err := os.ReadFile("../docs/howto/move-a-household.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```console\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 3 {
		t.Fatalf("the page shows %d blocks", len(blocks))
	}
	before, after := t.TempDir(), t.TempDir()
	t.Chdir(before)
	for _, command := range []string{
		"account add ana --operator", "account add ben", `call household_category_add {"name":"Sports"} --as ana`,
		`call household_import_apply {"file":"f.csv","fingerprint":"f","subscriptions":[{"merchant":"Netflix","amount":"15.99","currency":"EUR","cycle":"P1M","active":true,"first_date":"2025-01-14","last_date":"2025-01-14","evidence":[{"line":1,"date":"2025-01-14","amount":"15.99","text":"NETFLIX"}]}]} --as ana`,
		`call household_subscription_add {"name":"Gym","amount":"29","currency":"EUR","cycle":"P1M","first_date":"2026-01-31","category":"Sports","owner":"ben"} --as ana`,
	} {
		typed(t, command)
	}
	show := func(block []byte) {
		t.Helper()
		for _, part := range strings.Split(string(block), "$ ./nodkeep ")[1:] {
			command, shown, _ := strings.Cut(part, "\n")
			got := typed(t, command)
			if pattern, _ := printed(shown); !pattern.MatchString(got) {
				t.Errorf("%s prints\n%s\nthe page shows\n%s", command, got, shown)
			}
		}
	}
	show(blocks[0][1])
	show(blocks[2][1])
	b, err := os.ReadFile("household.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(after)
	if err := os.WriteFile("household.json", b, 0o600); err != nil {
		t.Fatal(err)
	}
	show(blocks[1][1])
	typed(t, "export --as ana --out again.json")
	if again, err := os.ReadFile("again.json"); err != nil || string(again) != string(b) {
		t.Errorf("%v: what came back is\n%s\nand not\n%s", err, again, b)
	}
	for _, name := range []string{"household.json", filepath.Join("tables", "charges.csv")} {
		if info, err := os.Stat(filepath.Join(before, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}
