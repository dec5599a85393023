package words

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestList pins the list: a code that was shown yesterday must be read today.
func TestList(t *testing.T) {
	sum := sha256.Sum256([]byte(english))
	if got := hex.EncodeToString(sum[:]); got != "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda" {
		t.Errorf("english.txt is not the list of BIP-39: its SHA-256 is %s", got)
	}
	if len(list) != 1<<bits {
		t.Errorf("%d words", len(list))
	}
	if !slices.IsSorted(list) {
		t.Error("the list is not sorted, and is searched as if it were")
	}
	begin := map[string]string{}
	for _, w := range list {
		first := w[:min(4, len(w))]
		if begin[first] != "" {
			t.Errorf("%s and %s begin alike", begin[first], w)
		}
		begin[first] = w
	}
}

func TestNewSpreads(t *testing.T) {
	const n = 20_000
	seen := map[string]bool{}
	var at [count]map[string]int
	for i := range at {
		at[i] = map[string]int{}
	}
	for range n {
		c := New()
		if seen[c.String()] {
			t.Fatalf("%s came twice", c)
		}
		seen[c.String()] = true
		for i, w := range c.Words() {
			at[i][w]++
		}
	}
	// Each word is due 9.8 times a place: one that never comes, or comes five
	// times as often, is less than one run in ten thousand.
	for i := range at {
		if missing := len(list) - len(at[i]); missing > 3 {
			t.Errorf("%d words never came at place %d", missing, i+1)
		}
		for w, times := range at[i] {
			if times > 50 {
				t.Errorf("%s came %d times at place %d", w, times, i+1)
			}
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for range 1000 {
		c := New()
		back, err := Parse(c.String())
		if err != nil || !back.Equal(c) || back != c {
			t.Fatalf("%q came back as %q, %v", c, back, err)
		}
	}
}

func TestParse(t *testing.T) {
	unknown := func(at int) error { return Unknown(at) }
	rows := []struct {
		in, want string
		err      error
	}{
		{"abandon abandon abandon abandon", "abandon abandon abandon abandon", nil},
		{"zoo zone zebra ability", "zoo zone zebra ability", nil},
		{"  Zoo\tZONE\n zebra\u00a0abiLity ", "zoo zone zebra ability", nil},
		{"", "", ErrCount},
		{"zoo zone zebra", "", ErrCount},
		{"zoo zone zebra ability able", "", ErrCount},
		{"zoo-zone-zebra-ability", "", ErrCount},
		{"zoo zone zebra abilities", "", unknown(4)},
		{"zoo zonne zzebra ability", "", unknown(2)},
		{"zo\u043e zone zebra ability", "", unknown(1)}, // a Cyrillic o
		{"zoo zone zeb\x00ra ability", "", unknown(3)},
		{"z zz zzz zzzz", "", unknown(1)},
		{strings.Repeat("zoo ", 2500), "", ErrCount},
		{"zoo zone zebra " + strings.Repeat("y", 10_000), "", ErrCount},
	}
	for _, row := range rows {
		got, err := Parse(row.in)
		if got.String() != row.want || !errors.Is(err, row.err) {
			t.Errorf("Parse(%.40q) = %q, %v; want %q, %v", row.in, got, err, row.want, row.err)
		}
		if err != nil && len(row.in) > 0 && strings.Contains(err.Error(), strings.Fields(row.in)[0]) {
			t.Errorf("the error repeats what was read: %v", err)
		}
	}
}

func TestEqual(t *testing.T) {
	parse := func(s string) Code {
		c, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	zoo, first := parse("zoo zone zebra ability"), parse("abandon abandon abandon abandon")
	rows := []struct {
		name string
		a, b Code
		want bool
	}{
		{"the same", zoo, parse("ZOO zone zebra ability"), true},
		{"the last word", zoo, parse("zoo zone zebra able"), false},
		{"the first word", zoo, parse("zone zone zebra ability"), false},
		{"another order", zoo, parse("zone zoo zebra ability"), false},
		{"none and one", Code{}, zoo, false},
		{"none and the first", first, Code{}, false},
		{"the first and itself", first, first, true},
		{"none and none", Code{}, Code{}, false},
	}
	for _, row := range rows {
		if row.a.Equal(row.b) != row.want || row.b.Equal(row.a) != row.want {
			t.Errorf("%s: want %v", row.name, row.want)
		}
	}
	if diff := cmp.Diff([]string(nil), Code{}.Words()); diff != "" || (Code{}).String() != "" {
		t.Error("none has words: ", diff)
	}
}
