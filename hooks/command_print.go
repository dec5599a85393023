package hooks

import (
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode"
)

// reads says that a person reads the result, and not a program.
func (a *App) reads() bool { return !a.json && a.Screen() }

// print writes JSON to standard output, so that people can read it too.
func (a *App) print(b []byte) error {
	v := jsontext.Value(b)
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		return failure{err}
	}
	return a.say("%s\n", v)
}

// say writes to standard output.
func (a *App) say(format string, args ...any) error {
	if _, err := fmt.Fprintf(a.Stdout, format, args...); err != nil {
		return failure{err}
	}
	return nil
}

// table writes rows in columns.
func (a *App) table(rows [][]string) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, visible(strings.Join(row, "\t")))
	}
	if err := w.Flush(); err != nil {
		return failure{err}
	}
	return nil
}

// refuse writes an answer that is an error to standard error.
func (a *App) refuse(b []byte) error {
	v := jsontext.Value(strings.TrimSpace(string(b)))
	if v.Indent(jsontext.WithIndent("  ")) != nil {
		return failure{errors.New("the server answered what is no JSON: is it a Nodkeep?")}
	}
	fmt.Fprintf(a.Stderr, "%s\n", v)
	return errSaid
}

// visible takes out what would move the cursor or change what a terminal
// shows: a card quotes what others wrote.
func visible(s string) string {
	between := func(r, from, to rune) bool { return r >= from && r <= to }
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || between(r, 0x200b, 0x200f) || between(r, 0x2028, 0x202e) || between(r, 0x2060, 0x206f) || r == 0xfeff) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
