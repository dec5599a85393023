package hooks

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (a *App) proposalConfirmCommand() *cobra.Command {
	var as, yes string
	var keep []int
	c := &cobra.Command{
		Use: "confirm PROPOSAL", Short: "Says yes to what an agent asks for, once, after it was seen", Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("keep") {
				keep = nil
			}
			return a.confirmTyped(c.Context(), as, args[0], yes, keep)
		},
	}
	asFlag(c, &as)
	c.Flags().StringVar(&yes, "yes", "", "the digest that show gives: does just what was shown, without asking")
	c.Flags().IntSliceVar(&keep, "keep", nil, "only these of several, by their numbers; the digest is then that of the same --keep")
	return c
}

// confirmTyped confirms with a digest, or asks on a terminal; elsewhere there is
// nobody who has seen what would be done.
func (a *App) confirmTyped(ctx context.Context, as, id, yes string, keep []int) error {
	if yes == "" && a.Terminal() {
		p, _, err := a.proposal(ctx, as, id, keep)
		if err != nil {
			return err
		}
		if p.Digest == "" {
			return errors.Join(a.sayProposal(p), errSaid)
		}
		agreed, err := a.agrees(ctx, p.card())
		if err != nil {
			return err
		}
		if !agreed {
			return failure{errors.New("nothing was changed, and it still waits; discard says no")}
		}
		yes = p.Digest
	}
	in := map[string]any{"digest": yes}
	if keep != nil { // none is all of them
		in["keep"] = keep
	}
	return a.decide(ctx, as, id, "/confirm", in)
}

func (a *App) proposalDiscardCommand() *cobra.Command {
	var as, reason, agent string
	c := &cobra.Command{
		Use: "discard [PROPOSAL]", Short: "Says no to what an agent asks for, or to all of it", Args: wants(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && agent != "", len(args) == 0 && agent == "":
				return errors.New("give a PROPOSAL, or --agent for all that waits of one agent")
			case agent != "" && reason != "":
				return errors.New("--reason is for one PROPOSAL")
			case agent != "":
				body, err := json.Marshal(map[string]string{"agent": agent})
				if err != nil {
					return failed(err)
				}
				if err := a.needsFolder(); err != nil {
					return err
				}
				return a.run(c.Context(), request{method: "POST", path: "/proposals/discard", as: as, body: bytes.NewReader(body)})
			}
			return a.decide(c.Context(), as, args[0], "/discard", map[string]any{"reason": reason})
		},
	}
	asFlag(c, &as)
	c.Flags().StringVar(&reason, "reason", "", "what the agent is told")
	c.Flags().StringVar(&agent, "agent", "", "all that waits of this agent: the id of a token")
	return c
}

// decide sends a decision, and says what became of the proposal.
func (a *App) decide(ctx context.Context, as, id, act string, in map[string]any) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	b, err := a.decided(ctx, as, id, act, in)
	if err != nil {
		return err
	}
	var p saidProposal
	if !a.reads() || json.Unmarshal(b, &p) != nil {
		return a.print(b)
	}
	return a.sayDecided(p, as)
}

// decided sends a decision, and gives what became of the proposal.
func (a *App) decided(ctx context.Context, as, id, act string, in map[string]any) ([]byte, error) {
	at, err := proposalPath(id)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(in)
	if err != nil {
		return nil, failed(err)
	}
	status, b, err := a.send(ctx, request{method: "POST", path: at + act, as: as, body: bytes.NewReader(body)})
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, a.refuse(b)
	}
	return b, nil
}

// sayDecided says what became of a proposal, and how to take it back.
func (a *App) sayDecided(p saidProposal, as string) error {
	switch {
	case p.Receipt == nil || p.Receipt.UndoUntil.IsZero():
		return a.say("It is %s.\n", p.State)
	}
	return a.say("Done. Until %s this takes it back:\n  %s\n", p.Receipt.UndoUntil.Local().Format(time.DateOnly),
		a.command("undo "+strings.Join(p.Receipt.Audit, " ")+" --as "+quoted(as)))
}
