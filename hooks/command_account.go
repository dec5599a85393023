package hooks

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
)

func (a *App) accountCommand() *cobra.Command {
	c := &cobra.Command{Use: "account", Short: "Makes accounts, and decides who is a member"}
	c.AddCommand(
		a.accountAddCommand(), a.accountListCommand("list", "Lists accounts", "/operator/accounts"),
		a.accountListCommand("waiting", "Lists who waits for approval, with their four words", "/operator/waiting"),
		a.accountActCommand("approve HANDLE", "Lets in an account that waits", "/operator/waiting/{}/approve"),
		a.accountActCommand("refuse HANDLE", "Refuses an account that waits, and deletes it", "/operator/waiting/{}/refuse"),
		a.accountActCommand("suspend HANDLE", "Takes a member's approval away; their data stays", "/operator/accounts/{}/suspend"),
		a.accountActCommand("restore HANDLE", "Gives a suspended member back what they were", "/operator/accounts/{}/restore"),
		a.accountLinkCommand("reset HANDLE", "Prints a link by which a member sets a new password", "/operator/accounts/{}/reset"),
		a.accountLinkCommand("pass HANDLE", "Prints a link by which somebody who waits gets a new waiting pass", "/operator/waiting/{}/pass"),
		a.accountInviteCommand(),
	)
	return c
}

func (a *App) operatorCommand() *cobra.Command {
	c := &cobra.Command{Use: "operator", Short: "Names operators, who approve sign-ups"}
	c.AddCommand(
		a.accountListCommand("list", "Lists operators", "/operator/operators"),
		a.accountActCommand("add HANDLE", "Makes a member an operator", "/operator/operators/{}/add"),
		a.accountActCommand("remove HANDLE", "Takes the role of an operator away, never from the last", "/operator/operators/{}/remove"),
	)
	return c
}

func (a *App) accountAddCommand() *cobra.Command {
	var in struct {
		Handle   string `json:"handle"`
		Email    string `json:"email"`
		Password string `json:"password"`
		Operator bool   `json:"operator"`
		Language string `json:"language,omitzero"`
	}
	c := &cobra.Command{
		Use: "add HANDLE", Short: "Makes an account, approved at once, and prints its password unless one is given", Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Handle = args[0]
			body, err := json.Marshal(in)
			if err != nil {
				return failed(err)
			}
			return a.output(c.Context(), "/operator/accounts", body)
		},
	}
	c.Flags().StringVar(&in.Email, "email", "", "an e-mail address, to sign in with too")
	c.Flags().StringVar(&in.Password, "password", "", "the password; others on this machine may see it while the command runs")
	c.Flags().BoolVar(&in.Operator, "operator", false, "may approve sign-ups and look after the instance")
	c.Flags().StringVar(&in.Language, "language", "", "en, de or es: the language in which the instance speaks to them")
	return c
}

// accountListCommand prints a list whole: it is read page by page.
func (a *App) accountListCommand(name, short, path string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			var all, page list[jsontext.Value]
			for more := true; more; more = page.Next != "" {
				at := path + "?limit=200&cursor=" + url.QueryEscape(page.Next)
				status, b, err := a.send(c.Context(), request{method: "GET", path: at})
				if err != nil {
					return err
				}
				if status != http.StatusOK {
					return a.refuse(b)
				}
				page = list[jsontext.Value]{}
				if err := json.Unmarshal(b, &page); err != nil {
					return failed(err)
				}
				all.Items = append(all.Items, page.Items...)
			}
			b, err := json.Marshal(all)
			if err != nil {
				return failed(err)
			}
			return a.print(b)
		},
	}
}

// accountActCommand does something with an account; what is grave asks first.
func (a *App) accountActCommand(use, short, path string) *cobra.Command {
	n := &nod{}
	c := &cobra.Command{
		Use: use, Short: short, Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.change(c.Context(), n, on(path, args[0]), []byte("{}"))
		},
	}
	n.yesFlags(c)
	return c
}

func (a *App) accountLinkCommand(use, short, path string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.output(c.Context(), on(path, args[0]), []byte("{}"))
		},
	}
}

func (a *App) accountInviteCommand() *cobra.Command {
	var in struct {
		Note string `json:"note"`
	}
	c := &cobra.Command{
		Use: "invite", Short: "Prints a link by which one person makes an account, approved at once", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			body, err := json.Marshal(in)
			if err != nil {
				return failed(err)
			}
			return a.output(c.Context(), "/operator/invites", body)
		},
	}
	c.Flags().StringVar(&in.Note, "note", "", "for whom it is, to tell it from others")
	return c
}

// on puts the name of an account into a path.
func on(path, name string) string { return strings.Replace(path, "{}", url.PathEscape(name), 1) }

// output makes a call and prints just what it gives: a password, a link.
func (a *App) output(ctx context.Context, path string, body []byte) error {
	status, b, err := a.send(ctx, request{method: "POST", path: path, body: bytes.NewReader(body)})
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return a.refuse(b)
	}
	var v struct {
		Output jsontext.Value `json:"output"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return failed(err)
	}
	return a.print(v.Output)
}
