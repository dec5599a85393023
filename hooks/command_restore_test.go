package hooks

import (
	"strings"
	"testing"
)

// TestUndoingManyParts: the newest parts first, a few at a time.
func TestUndoingManyParts(t *testing.T) {
	i := newInstance(t)
	entries := strings.Fields("a b c d e f g h i j k l")
	var got []string
	for line := range strings.Lines(i.undoing("ana", entries)) {
		_, line, _ = strings.Cut(line, " undo ")
		got = append(got, strings.TrimSpace(line))
	}
	if want := "h i j k l --as ana|c d e f g --as ana|a b --as ana"; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}
