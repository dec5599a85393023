package hooks

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// typist is who types at a terminal. What was read ahead is not lost between
// two questions.
type typist struct{ in *bufio.Reader }

func newTypist(in io.Reader) *typist { return &typist{bufio.NewReader(in)} }

// line asks, and waits for a line; more says that others may follow.
func (t *typist) line(ctx context.Context, out io.Writer, prompt string) (line string, more bool, err error) {
	fmt.Fprint(out, prompt)
	type typed struct {
		line string
		more bool
	}
	got, err := untilStopped(ctx, func() (typed, error) {
		line, err := t.in.ReadString('\n')
		return typed{strings.TrimRight(line, "\r\n"), err == nil}, nil
	})
	return got.line, got.more, err
}

// isYes says that an answer is a clear yes, isNo a clear no.
func isYes(answer string) bool {
	return slices.Contains([]string{"y", "j", "s"}, answer) || isWholeYes(answer)
}

// isWholeYes wants the word, and not its first letter.
func isWholeYes(answer string) bool {
	return slices.Contains([]string{"yes", "ja", "sí", "si"}, answer)
}

func isNo(answer string) bool { return slices.Contains([]string{"n", "no", "nein"}, answer) }
