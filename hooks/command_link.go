package hooks

import (
	"encoding/json/v2"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/spf13/cobra"
)

// accountLinkCommand prints a one-time link for an account.
func (a *App) accountLinkCommand(use, short, path, what string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			path, body, err := on(path, args[0])
			if err != nil {
				return err
			}
			return a.link(c, path, body, fmt.Sprintf(what, args[0]))
		},
	}
}

func (a *App) accountInviteCommand() *cobra.Command {
	var in struct {
		Note string `json:"note"`
	}
	c := &cobra.Command{
		Use: "invite", Short: "Prints a link by which one person makes an account, approved at once", Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			body, err := json.Marshal(in)
			if err != nil {
				return failed(err)
			}
			return a.link(c, "/operator/invites", body, "An invitation: whoever opens it makes an account, approved at once")
		},
	}
	c.Flags().StringVar(&in.Note, "note", "", "for whom it is, to tell it from others")
	return c
}

// link has a one-time link made and prints it: to a person with what it is for.
func (a *App) link(c *cobra.Command, path string, body []byte, what string) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	out, err := a.outputOf(c.Context(), "", path, body)
	if err != nil {
		return err
	}
	var made struct {
		ID      string    `json:"id"`
		Link    string    `json:"link"`
		Expires time.Time `json:"expires"`
	}
	if err := json.Unmarshal(out, &made); err != nil {
		return failed(err)
	}
	if strings.HasPrefix(made.Link, "/") {
		base, err := a.baseOf(c)
		if err != nil {
			return err
		}
		made.Link = base + made.Link
		switch {
		case base == "":
			fmt.Fprintf(a.Stderr, "Put the address of the instance before the path, and set NODKEEP_URL to it for the next time.\n")
		case a.reads():
			fmt.Fprintf(a.Stderr, "The address is the server's own; where people reach it by another one, set NODKEEP_URL.\n")
		}
	}
	if a.reads() {
		return a.say("%s.\nGood once, until %s, and shown only now:\n  %s\n", visible(what), made.Expires.Local().Format("2006-01-02 15:04"), visible(made.Link))
	}
	b, err := json.Marshal(made)
	if err != nil {
		return failed(err)
	}
	return a.print(b)
}

// baseOf is where the living server answers, "" without one.
func (a *App) baseOf(c *cobra.Command) (string, error) {
	status, b, err := a.send(c.Context(), request{method: "GET", path: "/local/address"})
	if err != nil {
		return "", err
	}
	var v served
	if status != http.StatusOK || json.Unmarshal(b, &v) != nil {
		return "", nil // a server that is older than this command
	}
	return v.Base, nil
}

// served is where the server answers.
type served struct {
	Base string `json:"base"`
}

// address says it to commands.
func (a *App) address(*core.RequestEvent) (any, error) { return served{ownAddress(a.base)}, nil }

// ownAddress is where a server answers, "" for one that listens to every address
// of a machine: it has none of its own.
func ownAddress(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" || u.Hostname() == "0.0.0.0" || u.Hostname() == "::" {
		return ""
	}
	return base
}
