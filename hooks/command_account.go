package hooks

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
)

func (a *App) accountCommand() *cobra.Command {
	c := &cobra.Command{Use: "account", Short: "Makes accounts, and decides who is a member"}
	c.AddCommand(
		a.accountAddCommand(), a.accountListCommand("list", "Lists accounts", "/operator/accounts", "There is no account.", accountRow),
		a.accountListCommand("waiting", "Lists who waits for approval, with their four words", "/operator/waiting", "Nobody waits.", waitingRow),
		a.accountActCommand("approve HANDLE", "Lets in an account that waits", "/operator/waiting/{}/approve"),
		a.accountActCommand("refuse HANDLE", "Refuses an account that waits, and deletes it", "/operator/waiting/{}/refuse"),
		a.accountActCommand("suspend HANDLE", "Takes a member's approval away; their data stays", "/operator/accounts/{}/suspend"),
		a.accountActCommand("restore HANDLE", "Gives a suspended member back what they were", "/operator/accounts/{}/restore"),
		a.accountLinkCommand("reset HANDLE", "Prints a link by which a member sets a new password", "/operator/resets", "By this link whoever opens it sets a new password for %s: hand it to nobody else"),
		a.accountLinkCommand("pass HANDLE", "Prints a link by which somebody who waits gets a new waiting pass", "/operator/waiting/{}/pass", "By this link %s gets a new waiting pass"),
		a.accountInviteCommand(),
	)
	return c
}

func (a *App) operatorCommand() *cobra.Command {
	c := &cobra.Command{Use: "operator", Short: "Names operators, who approve sign-ups"}
	c.AddCommand(
		a.accountListCommand("list", "Lists operators", "/operator/operators", "There is no operator; name one with operator add.", operatorRow),
		a.accountActCommand("add HANDLE", "Makes a member an operator", "/operator/operators"),
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
			out, err := a.outputOf(c.Context(), "", "/operator/accounts", body)
			if err != nil {
				return err
			}
			return a.printAdded(out)
		},
	}
	c.Flags().StringVar(&in.Email, "email", "", "an e-mail address, to sign in with too")
	c.Flags().StringVar(&in.Password, "password", "", "the password; others on this machine may see it while the command runs")
	c.Flags().BoolVar(&in.Operator, "operator", false, "may approve sign-ups and look after the instance")
	c.Flags().StringVar(&in.Language, "language", "", "en, de or es: the language in which the instance speaks to them")
	return c
}

// printAdded tells of a new account: to a person only what matters now.
func (a *App) printAdded(out jsontext.Value) error {
	if !a.reads() {
		return a.print(out)
	}
	var made struct {
		Handle   string `json:"handle"`
		Operator bool   `json:"operator"`
		Password string `json:"password"`
	}
	if err := json.Unmarshal(out, &made); err != nil {
		return failed(err)
	}
	who := visible(made.Handle)
	if made.Operator {
		who += ", an operator,"
	}
	if made.Password == "" {
		return a.say("%s can sign in from now on, with the password that you gave.\n", who)
	}
	return a.say("%s can sign in from now on, with this password, which is shown only now:\n  %s\n", who, visible(made.Password))
}

// accountActCommand does something with an account; what is grave asks first.
func (a *App) accountActCommand(use, short, path string) *cobra.Command {
	n := &nod{}
	c := &cobra.Command{
		Use: use, Short: short, Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			path, body, err := on(path, args[0])
			if err != nil {
				return err
			}
			return a.change(c.Context(), n, path, body)
		},
	}
	n.yesFlags(c)
	return c
}

// on puts the name of an account into a path, where dots alone would lead
// somewhere else, or into the body for a path that has no place for it.
func on(path, name string) (at string, body []byte, err error) {
	if strings.Trim(name, ". ") == "" {
		return "", nil, failure{fmt.Errorf("%q is nobody: give a handle, an e-mail address or an id", name)}
	}
	if at = strings.Replace(path, "{}", url.PathEscape(name), 1); at != path {
		return at, []byte("{}"), nil
	}
	body, err = json.Marshal(map[string]string{"account": name})
	return at, body, failed(err)
}

// outputOf makes a call, for a member if one is named, and gives what its tool
// does.
func (a *App) outputOf(ctx context.Context, as, path string, body []byte) (jsontext.Value, error) {
	status, b, err := a.send(ctx, request{method: "POST", path: path, as: as, body: bytes.NewReader(body)})
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, a.refuse(b)
	}
	var v struct {
		Output jsontext.Value `json:"output"`
	}
	err = json.Unmarshal(b, &v)
	return v.Output, failed(err)
}
