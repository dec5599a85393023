package hooks

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
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
	return a.say("%s\n", spelled(v))
}

// spelled is JSON that says the same in signs that are seen: what it quotes may be
// of anybody, and move the cursor of a terminal.
func spelled(v jsontext.Value) string {
	var b strings.Builder
	for _, r := range string(v) {
		if r >= 0x7f && r <= 0xffff && visible(string(r)) != string(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
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

// refusal is an answer that is an error, as far as a person reads it.
type refusal struct {
	Message string `json:"message"`
	Data    struct {
		saidPreview
		Audit     []string      `json:"audit"`
		Proposal  *saidProposal `json:"proposal"`
		Conflicts []struct {
			Collection string   `json:"collection"`
			ID         string   `json:"id"`
			Fields     []string `json:"fields"`
			By         string   `json:"by"`
			Reason     said     `json:"reason"`
		} `json:"conflicts"`
	} `json:"data"`
}

// String is the sentence, what stands in the way, and what is to be agreed to.
func (r refusal) String() string {
	lines := []string{r.Message}
	if r.Data.Digest != "" {
		lines = append(lines, r.Data.Card.String(), "  --yes="+r.Data.Digest)
	}
	if p := r.Data.Proposal; p != nil && p.Digest != "" {
		lines = append(lines, p.card().String(), "  "+p.ID+" --yes="+p.Digest)
	}
	for _, id := range r.Data.Audit {
		lines = append(lines, "  "+id)
	}
	for _, c := range r.Data.Conflicts {
		var where []string
		for _, s := range []string{c.Collection, c.ID, strings.Join(c.Fields, ", "), c.By} {
			if s != "" {
				where = append(where, s)
			}
		}
		lines = append(lines, "  "+strings.Join(append(where, c.Reason.Text), "  "))
	}
	return visible(strings.Join(lines, "\n"))
}

// refuse writes an answer that is an error to standard error: to a person the
// sentence, to a program all of it.
func (a *App) refuse(b []byte) error {
	v := jsontext.Value(strings.TrimSpace(string(b)))
	if v.Indent(jsontext.WithIndent("  ")) != nil {
		return failure{errors.New("the server answered what is no JSON: is it a Nodkeep?")}
	}
	var r refusal
	if a.reads() && json.Unmarshal(v, &r) == nil && r.Message != "" {
		fmt.Fprintln(a.Stderr, r)
		return errSaid
	}
	fmt.Fprintf(a.Stderr, "%s\n", spelled(v))
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
