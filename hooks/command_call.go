package hooks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/tools"
)

// nod is how a command that changes something is told to look or to go on.
type nod struct {
	as, yes string
	preview bool
}

func (n *nod) flags(c *cobra.Command) {
	c.Flags().StringVar(&n.as, "as", "", "the member who acts: a handle or an e-mail address")
	c.Flags().StringVar(&n.yes, "yes", "", "the digest of a preview: applies just what it showed, without asking")
	c.Flags().BoolVar(&n.preview, "preview", false, "only shows what would change, and its digest")
	_ = c.MarkFlagRequired("as") // the flag is there
	c.MarkFlagsMutuallyExclusive("yes", "preview")
}

func (a *App) callCommand() *cobra.Command {
	n := &nod{}
	c := &cobra.Command{
		Use: "call TOOL [JSON|-]", Short: "Calls a tool, with arguments from the command line or (-) standard input", Args: cobra.RangeArgs(1, 2),
		Example: "  nodkeep call household_overview --as ana\n  nodkeep call household_subscription_add '{\"name\":\"Netflix\",\"amount\":\"15.99\",\"cycle\":\"P1M\",\"first_date\":\"2027-01-14\"}' --as ana",
		RunE: func(c *cobra.Command, args []string) error {
			body := []byte("{}")
			if len(args) == 2 {
				body = []byte(args[1])
			}
			if len(args) == 2 && args[1] == "-" {
				var err error
				if body, err = io.ReadAll(io.LimitReader(a.Stdin, maxBody+1)); err != nil {
					return failed(err)
				}
			}
			return a.change(c.Context(), n, "/tools/"+url.PathEscape(args[0]), body)
		},
	}
	n.flags(c)
	return c
}

// change sends a call that may want a nod, and asks for it on a terminal.
func (a *App) change(ctx context.Context, n *nod, path string, body []byte) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	if n.preview {
		path += "?preview=1"
	}
	r := func(digest string) request {
		return request{method: "POST", path: path, as: n.as, digest: digest, body: bytes.NewReader(body)}
	}
	status, b, err := a.send(ctx, r(n.yes))
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		return a.print(b)
	}
	digest, card := wanted(status, b)
	if digest == "" || !a.Terminal() {
		return a.refuse(b)
	}
	if !a.agrees(card) {
		return failure{fmt.Errorf("nothing was changed")}
	}
	return a.run(ctx, r(digest))
}

// wanted is the digest that an answer asks for, and the card to agree to.
func wanted(status int, b []byte) (digest, card string) {
	type said struct {
		Text string `json:"text"`
	}
	var f struct {
		Data struct {
			Kind   tools.Kind `json:"kind"`
			Digest string     `json:"digest"`
			Card   struct {
				Title said   `json:"title"`
				Lines []said `json:"lines"`
				Sends []said `json:"sends"`
			} `json:"card"`
		} `json:"data"`
	}
	if status != http.StatusConflict || json.Unmarshal(b, &f) != nil || f.Data.Kind != tools.DigestRequired {
		return "", ""
	}
	lines := []string{f.Data.Card.Title.Text}
	for _, l := range append(f.Data.Card.Lines, f.Data.Card.Sends...) {
		lines = append(lines, "  "+l.Text)
	}
	return f.Data.Digest, strings.Join(lines, "\n")
}

// agrees shows a card and waits for a clear yes.
func (a *App) agrees(card string) bool {
	fmt.Fprintf(a.Stderr, "%s\nDo this? [y/N] ", visible(card))
	answer, _ := bufio.NewReader(a.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "j", "ja", "s", "sí", "si":
		return true
	}
	return false
}

// visible takes out what would move the cursor or change what a terminal
// shows: a card quotes what others wrote.
func visible(s string) string {
	between := func(r, from, to rune) bool { return r >= from && r <= to }
	return strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || between(r, 0x200b, 0x200f) || between(r, 0x2028, 0x202e) || between(r, 0x2060, 0x206f) || r == 0xfeff) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
