package hooks

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// maxExportFile is the largest file that restore reads, in bytes.
const maxExportFile = 256 << 20

func (a *App) restoreCommand() *cobra.Command {
	n := &nod{}
	var yes bool
	c := &cobra.Command{
		Use: "restore FILE", Short: "Takes back what export wrote as JSON; overwrites nothing", Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.restore(c.Context(), n, yes, args[0])
		},
	}
	asFlag(c, &n.as)
	c.Flags().BoolVar(&yes, "yes", false, "restores without asking")
	c.Flags().BoolVar(&n.preview, "preview", false, "only shows what the first part would change")
	c.MarkFlagsMutuallyExclusive("yes", "preview")
	return c
}

// portion is a call that takes a part of an export.
type portion struct {
	path string
	body []byte
}

func (a *App) restore(ctx context.Context, n *nod, yes bool, file string) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	all, says, err := a.portions(file)
	if err != nil {
		return failed(err)
	}
	// The first part is looked at before anything is done; the others rest on it.
	status, b, err := a.send(ctx, all[0].request(n.as, "", "?preview=1"))
	if err != nil {
		return err
	}
	var p saidPreview
	if status != http.StatusOK || json.Unmarshal(b, &p) != nil {
		return a.refuse(b)
	}
	shown := false
	switch {
	case n.preview && !a.reads():
		return a.print(b)
	case n.preview || (!yes && a.Terminal()):
		p.Card.Title.Text = fmt.Sprintf("%s: %s, in %s. The first:\n%s", file, says, counted(len(all), "part"), p.Card.Title.Text)
		if n.preview {
			return a.say("%s\nNothing was changed.\n", p.Card)
		}
		if yes, err = a.agrees(ctx, p.Card); err != nil {
			return err
		}
		if shown = true; !yes {
			return failure{errors.New("nothing was changed")}
		}
	case !yes:
		return failure{errors.New("nothing was changed: give --yes to restore it, or --preview to look at it")}
	}
	return a.take(ctx, n.as, all, p.Digest, shown)
}

// take applies the parts in order, the first as its digest says and without
// its card if that was shown. Those that were taken stay when one is refused:
// it can be mended, and all sent again.
func (a *App) take(ctx context.Context, as string, all []portion, digest string, shown bool) error {
	var audit []string
	var receipts []jsontext.Value
	for i, p := range all {
		status, b, err := a.send(ctx, p.request(as, digest, ""))
		digest = ""
		var done struct {
			Output  jsontext.Value `json:"output"`
			Receipt saidReceipt    `json:"receipt"`
		}
		if err == nil && (status != http.StatusOK || json.Unmarshal(b, &done) != nil) {
			err = a.refuse(b)
		}
		if err != nil {
			if len(audit) > 0 {
				fmt.Fprintf(a.Stderr, "%d of %d parts were restored. The same command goes on once the file is mended; this takes them back:\n  %s\n", i, len(all), a.undoing(as, audit))
			}
			return err
		}
		audit, receipts = append(audit, done.Receipt.Audit...), append(receipts, done.Output)
		if a.reads() && (i > 0 || !shown) {
			for _, card := range done.Receipt.Cards {
				if err := a.say("%s\n", card); err != nil {
					return err
				}
			}
		}
	}
	if a.reads() {
		return a.say("Done. This takes it back:\n  %s\n", a.undoing(as, audit))
	}
	return a.printed(map[string]any{"parts": receipts, "audit": audit})
}

// undone is how many parts one undo takes back within its time, on a slow
// machine too.
const undone = 5

// undoing are the commands that take entries back, the newest first.
func (a *App) undoing(as string, audit []string) string {
	var commands []string
	for len(audit) > 0 {
		from := max(0, len(audit)-undone)
		commands = append(commands, a.command("undo "+strings.Join(audit[from:], " ")+" --as "+quoted(as)))
		audit = audit[:from]
	}
	return strings.Join(commands, "\n  ")
}

func (p portion) request(as, digest, query string) request {
	return request{method: "POST", path: p.path + query, as: as, digest: digest, body: bytes.NewReader(p.body)}
}

// portions reads a file and cuts it into calls.
func (a *App) portions(file string) (all []portion, says string, err error) {
	names, exports, err := a.exporters()
	if err != nil {
		return nil, "", err
	}
	whole, err := readExport(file)
	if err != nil {
		return nil, "", err
	}
	var words []string
	for _, name := range names {
		if whole[name] == nil {
			continue
		}
		b := newBundle(exports[name])
		if err := b.add(whole[name]); err != nil {
			return nil, "", fmt.Errorf("%s: %s is no export: %w", file, name, err)
		}
		delete(whole, name)
		parts, err := b.parts()
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", file, err)
		}
		for _, part := range parts {
			body, err := json.Marshal(map[string]jsontext.Value{name: part})
			if err != nil {
				return nil, "", fmt.Errorf("%s: %w", file, err)
			}
			all = append(all, portion{"/tools/" + b.export.Take, body})
		}
		words = append(words, b.says())
	}
	for name := range whole {
		return nil, "", fmt.Errorf("%s has %q, which is no plugin that exports here; those are %s", file, name, strings.Join(names, ", "))
	}
	if len(all) == 0 {
		return nil, "", fmt.Errorf("%s has nothing to restore: it must be what export wrote as JSON", file)
	}
	return all, strings.Join(words, "; "), nil
}

// readExport reads a file by plugin.
func readExport(file string) (map[string]jsontext.Value, error) {
	if err := readable(file, maxExportFile, ""); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var whole map[string]jsontext.Value
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &whole); err != nil {
		return nil, fmt.Errorf("%s is not what export wrote as JSON: %w", file, err)
	}
	return whole, nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
