package hooks

import (
	"bytes"
	"encoding/json/v2"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/tools"
)

func (a *App) auditCommand() *cobra.Command {
	c := &cobra.Command{Use: "audit", Short: "Lists what was done, and checks that nobody changed the list"}
	c.AddCommand(a.auditListCommand(), &cobra.Command{
		Use: "verify", Short: "Walks the whole chain; fails when it was tampered with", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			a.looking = true
			status, b, err := a.send(c.Context(), request{method: "GET", path: "/local/audit"})
			if err != nil {
				return err
			}
			if status != http.StatusOK {
				return a.refuse(b)
			}
			var v tools.Verification
			if err := json.Unmarshal(b, &v); err != nil {
				return failed(err)
			}
			if err := a.print(b); err != nil || v.OK {
				return err
			}
			return failure{fmt.Errorf("%s", v.Problem)}
		},
	}, &cobra.Command{
		Use: "accept REASON", Short: "Takes the chain as it stands, once, after a restore for example; the reason is audited", Args: wants(1, 1000),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			body, err := json.Marshal(map[string]string{"reason": strings.Join(args, " ")})
			if err != nil {
				return failed(err)
			}
			return a.run(c.Context(), request{method: "POST", path: "/local/audit", body: bytes.NewReader(body)})
		},
	})
	return c
}
