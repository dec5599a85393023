package hooks

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// said is a sentence of the instance.
type said struct {
	Text string `json:"text"`
}

// saidCard is a card as a command reads it.
type saidCard struct {
	Title said   `json:"title"`
	Lines []said `json:"lines"`
	Sends []said `json:"sends"`
	Grave bool   `json:"grave"` // it destroys or sends
	Taint []said `json:"taint"` // what others wrote and its agent has read
}

// String is the card as a terminal shows it.
func (c saidCard) String() string {
	lines := []string{c.Title.Text}
	for _, l := range append(c.Lines, c.Sends...) {
		lines = append(lines, "  "+l.Text)
	}
	if len(c.Taint) > 0 {
		lines = append(lines, "  Before it asked, the agent read text that others wrote, which may have led it to this:")
	}
	for _, l := range c.Taint {
		lines = append(lines, "    "+l.Text)
	}
	return visible(strings.Join(lines, "\n"))
}

// saidReceipt is what was done.
type saidReceipt struct {
	Audit     []string   `json:"audit"`
	Cards     []saidCard `json:"cards"`
	Changes   []struct{} `json:"changes"`
	Unseen    int        `json:"unseen"`
	UndoUntil time.Time  `json:"undo_until"`
}

// nothing says that all was as it should be already.
func (r saidReceipt) nothing() bool {
	return len(r.Changes) == 0 && r.Unseen == 0 && !slices.ContainsFunc(r.Cards, func(c saidCard) bool { return len(c.Sends) > 0 })
}

// saidPreview is what would be done.
type saidPreview struct {
	Card   saidCard `json:"card"`
	Digest string   `json:"digest"`
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
		return a.told(n, b, true)
	}
	p, needed := wanted(status, b)
	if !needed || !a.Terminal() {
		return a.refuse(b)
	}
	agreed, err := a.agrees(ctx, p.Card)
	if err != nil {
		return err
	}
	if !agreed {
		return failure{errors.New("nothing was changed")}
	}
	if status, b, err = a.send(ctx, r(p.Digest)); err != nil {
		return err
	}
	if status != http.StatusOK {
		return a.refuse(b)
	}
	return a.told(n, b, false)
}

// told prints what a call did: to a person the card, unless it was just shown,
// and how to take it back. What a tool reads is JSON to everybody.
func (a *App) told(n *nod, b []byte, card bool) error {
	var v struct {
		saidPreview
		saidReceipt              // the answer of an undo
		Receipt     *saidReceipt `json:"receipt"`
	}
	if !a.reads() || json.Unmarshal(b, &v) != nil {
		return a.print(b)
	}
	receipt := v.saidReceipt
	if v.Receipt != nil {
		receipt = *v.Receipt
	}
	switch {
	case v.Digest != "":
		return a.say("%s\nNothing was changed. The same command with --yes in place of --preview does just this:\n  --yes=%s\n", v.Card, v.Digest)
	case len(receipt.Audit) == 0:
		return a.print(b)
	}
	if card {
		for _, c := range receipt.Cards {
			if err := a.say("%s\n", c); err != nil {
				return err
			}
		}
	}
	switch {
	case receipt.nothing():
		return a.say("Done: there was nothing to change.\n")
	case receipt.UndoUntil.IsZero(): // an account: the card said what takes it back
		return a.say("Done.\n")
	}
	return a.say("Done. Until %s this takes it back:\n  %s\n", receipt.UndoUntil.Local().Format(time.DateOnly),
		a.command("undo "+strings.Join(receipt.Audit, " ")+" --as "+quoted(n.as)))
}

// wanted is the preview that an answer asks to agree to.
func wanted(status int, b []byte) (saidPreview, bool) {
	var f struct {
		Data struct {
			Kind tools.Kind `json:"kind"`
			saidPreview
		} `json:"data"`
	}
	if status != http.StatusConflict || json.Unmarshal(b, &f) != nil || f.Data.Kind != tools.DigestRequired {
		return saidPreview{}, false
	}
	return f.Data.saidPreview, f.Data.Digest != ""
}

// agrees shows a card and waits for a clear yes.
func (a *App) agrees(ctx context.Context, card saidCard) (bool, error) {
	answer, _, err := newTypist(a.Stdin).line(ctx, a.Stderr, fmt.Sprintf("%s\nDo this? [y/N] ", card))
	return isYes(strings.ToLower(strings.TrimSpace(answer))), err
}
