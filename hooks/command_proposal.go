package hooks

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// proposalCommand is where somebody at the terminal nods: it is one of the
// person's own surfaces.
func (a *App) proposalCommand() *cobra.Command {
	c := &cobra.Command{Use: "proposal", Short: "Shows what agents ask for, and decides"}
	c.AddCommand(a.proposalListCommand(), a.proposalShowCommand(), a.proposalConfirmCommand(), a.proposalDiscardCommand())
	return c
}

// saidProposal is a proposal as a command reads it.
type saidProposal struct {
	ID      string    `json:"id"`
	State   string    `json:"state"`
	Digest  string    `json:"digest"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Decided time.Time `json:"decided"`
	Reason  string    `json:"reason"`
	Next    string    `json:"replaced_by"`
	Card    saidCard  `json:"card"`
	Items   []struct {
		Card saidCard `json:"card"`
	} `json:"items"`
	Actor struct {
		Name string `json:"agent_name"`
	} `json:"actor"`
	Receipt *saidReceipt `json:"receipt"`
}

// card is what there is to agree to: of several calls each, by its place.
func (p saidProposal) card() saidCard {
	if len(p.Items) < 2 {
		return p.Card
	}
	c := saidCard{Title: p.Card.Title, Taint: p.Card.Taint}
	for n, it := range p.Items {
		it.Card.Taint = nil // said once
		c.Lines = append(c.Lines, said{fmt.Sprintf("[%d] %s", n, strings.ReplaceAll(it.Card.String(), "\n", "\n    "))})
	}
	return c
}

func (a *App) proposalListCommand() *cobra.Command {
	var as, state, agent string
	c := &cobra.Command{
		Use: "list", Short: "Lists what waits for the member, newest first", Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			b, err := a.allPages(c.Context(), as, "/proposals?"+url.Values{"state": {state}, "agent": {agent}}.Encode())
			if err != nil {
				return err
			}
			var all list[saidProposal]
			switch {
			case !a.reads() || json.Unmarshal(b, &all) != nil:
				return a.print(b)
			case len(all.Items) == 0:
				return a.say("There is nothing.\n")
			}
			rows := make([][]string, len(all.Items))
			for n, p := range all.Items {
				rows[n] = []string{p.ID, p.State, p.Actor.Name, p.Created.Local().Format("2006-01-02 15:04"), p.Card.Title.Text}
			}
			return a.table(rows)
		},
	}
	asFlag(c, &as)
	c.Flags().StringVar(&state, "state", "pending", "pending, applied, discarded, expired, stale, replaced, failed, or empty for all")
	c.Flags().StringVar(&agent, "agent", "", "only of this agent: the id of a token")
	return c
}

func (a *App) proposalShowCommand() *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "show PROPOSAL", Short: "Shows what an agent asks for, or what became of it", Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			p, b, err := a.proposal(c.Context(), as, args[0], nil)
			if err != nil {
				return err
			}
			if !a.reads() {
				return a.print(b)
			}
			return a.sayProposal(p)
		},
	}
	asFlag(c, &as)
	return c
}

// proposal reads one, or with some items kept what those alone would do.
func (a *App) proposal(ctx context.Context, as, id string, keep []int) (p saidProposal, b []byte, err error) {
	if err := a.needsFolder(); err != nil {
		return p, nil, err
	}
	at, err := proposalPath(id)
	if err != nil {
		return p, nil, err
	}
	r := request{method: "GET", path: at, as: as}
	if keep != nil {
		body, err := json.Marshal(map[string][]int{"keep": keep})
		if err != nil {
			return p, nil, failed(err)
		}
		r = request{method: "POST", path: at + "/preview", as: as, body: bytes.NewReader(body)}
	}
	status, b, err := a.send(ctx, r)
	switch {
	case err != nil:
		return p, nil, err
	case status != http.StatusOK:
		return p, nil, a.refuse(b)
	}
	return p, b, failed(json.Unmarshal(b, &p))
}

// proposalPath puts an id into a path, where dots alone would lead elsewhere.
func proposalPath(id string) (string, error) {
	if strings.Trim(id, ". ") == "" {
		return "", failure{fmt.Errorf("%q is no proposal: give the id of one, as nodkeep proposal list shows it", id)}
	}
	return "/proposals/" + url.PathEscape(id), nil
}

// sayProposal says to a person how a proposal stands.
func (a *App) sayProposal(p saidProposal) error {
	if err := a.say("%s\n", p.card()); err != nil {
		return err
	}
	switch {
	case p.Digest != "":
		return a.say("%s asks for it, until %s.\n  --yes=%s\n", visible(p.Actor.Name), p.Expires.Local().Format("2006-01-02 15:04"), p.Digest)
	case p.Next != "":
		return a.say("It is %s; this stands for it:\n  %s\n", p.State, p.Next)
	case p.Reason != "":
		return a.say("It is %s: %s\n", p.State, visible(p.Reason))
	}
	return a.say("It is %s.\n", p.State)
}
