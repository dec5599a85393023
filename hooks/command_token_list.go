package hooks

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/tools/accounts"
)

func (a *App) tokenListCommand() *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "list", Short: "Lists the member's tokens, newest first", Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			b, err := a.allPages(c.Context(), as, "/tokens")
			if err != nil {
				return err
			}
			var read list[accounts.Token]
			switch {
			case !a.reads() || json.Unmarshal(b, &read) != nil:
				return a.print(b)
			case len(read.Items) == 0:
				return a.say("There is no token; make one with token create.\n")
			}
			rows := make([][]string, len(read.Items))
			for n, t := range read.Items {
				rows[n] = tokenRow(t)
			}
			return a.table(rows)
		},
	}
	asFlag(c, &as)
	return c
}

func tokenRow(t accounts.Token) []string {
	day := func(said string, at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return said + " " + at.Local().Format("2006-01-02 15:04")
	}
	used := day("used", t.Used)
	if used == "" {
		used = "never used"
	}
	return []string{t.ID, t.Name, t.State, t.Mode, used, day("until", t.Expires)}
}

// tokenNamed is the id of the token that is called so, where just one is that
// was not revoked; else what was given is taken for an id.
func (a *App) tokenNamed(ctx context.Context, as, name string) (string, error) {
	if strings.Trim(name, ". ") == "" {
		return "", failure{fmt.Errorf("%q is no token: give its id or its name", name)}
	}
	b, err := a.allPages(ctx, as, "/tokens")
	if err != nil {
		return "", err
	}
	var all list[accounts.Token]
	if err := json.Unmarshal(b, &all); err != nil {
		return "", failed(err)
	}
	var ids []string
	for _, t := range all.Items {
		if t.ID == name {
			return name, nil
		}
		if t.Name == name && t.State != accounts.TokenRevoked {
			ids = append(ids, t.ID)
		}
	}
	switch len(ids) {
	case 0:
		return name, nil
	case 1:
		return ids[0], nil
	}
	return "", failure{fmt.Errorf("%d tokens are called %q: give an id, as nodkeep token list shows them", len(ids), name)}
}
