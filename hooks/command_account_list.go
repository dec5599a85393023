package hooks

import (
	"cmp"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// accountListCommand prints a list whole: it is read page by page. To a person
// it is columns, by row, or a sentence where nobody is in it.
func (a *App) accountListCommand(name, short, path, nobody string, row func(accounts.Account) []string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			b, err := a.allPages(c.Context(), "", path)
			if err != nil {
				return err
			}
			var read list[accounts.Account]
			switch {
			case !a.reads() || json.Unmarshal(b, &read) != nil:
				return a.print(b)
			case len(read.Items) == 0:
				return a.say("%s\n", nobody)
			}
			rows := make([][]string, len(read.Items))
			for n, account := range read.Items {
				rows[n] = row(account)
			}
			return a.table(rows)
		},
	}
}

// allPages reads a list whole, page by page, for a member if one is named.
func (a *App) allPages(ctx context.Context, as, path string) ([]byte, error) {
	all := list[jsontext.Value]{Items: []jsontext.Value{}}
	path += map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
	for more := true; more; more = all.Next != "" {
		at := path + "limit=200&cursor=" + url.QueryEscape(all.Next)
		status, b, err := a.send(ctx, request{method: "GET", path: at, as: as})
		if err != nil {
			return nil, err
		}
		if status != http.StatusOK {
			return nil, a.refuse(b)
		}
		var page list[jsontext.Value]
		if err := json.Unmarshal(b, &page); err != nil {
			return nil, failed(err)
		}
		all.Items, all.Next = append(all.Items, page.Items...), page.Next
	}
	b, err := json.Marshal(all)
	return b, failed(err)
}

// accountRow is one of all accounts.
func accountRow(x accounts.Account) []string {
	standing := cmp.Or(x.Status, accounts.Waiting)
	switch {
	case x.Status == tools.Approved && x.Operator:
		standing = "operator"
	case x.Status == tools.Approved:
		standing = "member"
	}
	return []string{cmp.Or(x.Handle, x.ID), standing, since(cmp.Or(x.Approved, x.Created)), x.Email}
}

// waitingRow is one who waits: by the words the operator knows them.
func waitingRow(x accounts.Account) []string {
	return []string{cmp.Or(x.Handle, x.ID), cmp.Or(strings.Join(x.Words, " "), "(no words)"), since(x.Created), x.Email}
}

func operatorRow(x accounts.Account) []string {
	row := []string{cmp.Or(x.Handle, x.ID), since(cmp.Or(x.Approved, x.Created)), x.Email}
	if x.Status != tools.Approved {
		row[1] = x.Status // a role that comes back with the account
	}
	return row
}

func since(t time.Time) string { return "since " + t.Local().Format("2006-01-02 15:04") }
