package hooks

import (
	"encoding/json/v2"
	"errors"

	"github.com/spf13/cobra"
)

func (a *App) undoCommand() *cobra.Command {
	n := &nod{}
	var in struct {
		Audit  []string `json:"audit,omitempty"`
		Agent  string   `json:"agent,omitzero"`
		Since  string   `json:"since,omitzero"`
		Except []string `json:"except,omitempty"`
	}
	c := &cobra.Command{
		Use: "undo [AUDIT...]", Short: "Takes changes back: entries of the audit, or all that an agent did",
		Args: func(_ *cobra.Command, args []string) error {
			if (len(args) == 0) == (in.Agent == "") {
				return errors.New("name the audit entries to take back, or the agent with --agent")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			in.Audit = args
			body, err := json.Marshal(in)
			if err != nil {
				return failed(err)
			}
			return a.change(c.Context(), n, "/undo", body)
		},
	}
	n.flags(c)
	c.Flags().StringVar(&in.Agent, "agent", "", "take back what this agent did: the id of a token or an assistant")
	c.Flags().StringVar(&in.Since, "since", "", "with --agent: since this time, such as 2027-03-14T00:00:00Z")
	c.Flags().StringSliceVar(&in.Except, "except", nil, "entries to leave as they are")
	return c
}
