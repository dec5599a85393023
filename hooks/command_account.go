package hooks

import (
	"bytes"
	"encoding/json/v2"

	"github.com/spf13/cobra"
)

func (a *App) accountCommand() *cobra.Command {
	c := &cobra.Command{Use: "account", Short: "Makes and lists accounts"}
	c.AddCommand(a.accountAddCommand(), &cobra.Command{
		Use: "list", Short: "Lists accounts", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			return a.run(c.Context(), request{method: "GET", path: "/local/accounts"})
		},
	})
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
			return a.run(c.Context(), request{method: "POST", path: "/local/accounts", body: bytes.NewReader(body)})
		},
	}
	c.Flags().StringVar(&in.Email, "email", "", "an e-mail address, to sign in with too")
	c.Flags().StringVar(&in.Password, "password", "", "the password; others on this machine may see it while the command runs")
	c.Flags().BoolVar(&in.Operator, "operator", false, "may approve sign-ups and look after the instance")
	c.Flags().StringVar(&in.Language, "language", "", "en, de or es: the language in which the instance speaks to them")
	return c
}
