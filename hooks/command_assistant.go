package hooks

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant/roster"
)

func (a *App) assistantCommand() *cobra.Command {
	c := &cobra.Command{Use: "assistant", Short: "Lists the models that people can ask, tries them, and says which there could be"}
	c.AddCommand(a.assistantListCommand(), a.assistantTestCommand(), a.assistantSuggestCommand())
	return c
}

func (a *App) assistantListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Lists the assistants, those on this machine first", Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			var found list[struct {
				ID       string   `json:"id"`
				Name     string   `json:"name"`
				Protocol string   `json:"protocol"`
				Host     string   `json:"host"`
				Model    string   `json:"model"`
				Mode     string   `json:"mode"`
				Lacks    []string `json:"lacks"`
			}]
			return a.listed(c, request{method: "GET", path: "/local/assistants"}, &found, func() (rows [][]string) {
				for _, is := range found.Items {
					stands := is.Mode
					if len(is.Lacks) > 0 {
						stands = "lacks " + strings.Join(is.Lacks, ", ")
					}
					rows = append(rows, []string{is.ID, is.Name, is.Protocol, is.Host, is.Model, stands})
				}
				if len(rows) == 0 {
					rows = [][]string{{"There is no assistant. What there could be: " + a.command("assistant suggest")}}
				}
				return rows
			})
		},
	}
}

func (a *App) assistantSuggestCommand() *cobra.Command {
	return &cobra.Command{
		Use: "suggest", Short: "Looks which models answer on this machine, and names the hosts that are known", Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			var found list[roster.Suggestion]
			return a.listed(c, request{method: "GET", path: "/operator/assistants/suggestions"}, &found, func() (rows [][]string) {
				for _, s := range found.Items {
					note := "needs a key"
					if s.Local {
						note = "answers on this machine; " + fewModels(s.Models)
					}
					if s.Used != "" {
						note += "; set up as " + s.Used
					}
					rows = append(rows, []string{s.Name, string(s.Protocol), s.BaseURL, note})
				}
				return append(rows, nil, []string{"To connect one, for example: " + a.command("call nodkeep_assistant_set '"+example(found.Items)+"' --as OPERATOR")})
			})
		},
	}
}

// example is how to set up what answers here; else a host that wants a key.
func example(all []roster.Suggestion) string {
	for _, s := range all {
		if s.Local && len(s.Models) > 0 && s.Used == "" {
			return fmt.Sprintf(`{"id":"local","base_url":"%s","model":"%s"}`, s.BaseURL, visible(s.Models[0]))
		}
	}
	return `{"id":"cloud","base_url":"https://…","model":"…","key":"…"}`
}

func fewModels(models []string) string {
	const most = 5
	switch {
	case len(models) == 0:
		return "it has no model yet"
	case len(models) > most:
		return fmt.Sprintf("%s and %d more", strings.Join(models[:most], ", "), len(models)-most)
	}
	return strings.Join(models, ", ")
}

func (a *App) assistantTestCommand() *cobra.Command {
	return &cobra.Command{
		Use: "test ID", Short: "Asks an assistant a little, which may cost a little, and says what is wrong", Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			if strings.Trim(args[0], ". ") == "" {
				return failure{fmt.Errorf("%q is no assistant: give its id", args[0])}
			}
			status, b, err := a.send(c.Context(), request{method: "POST", path: "/operator/assistants/" + url.PathEscape(args[0]) + "/test"})
			if err != nil {
				return err
			}
			if status != http.StatusOK {
				return a.refuse(b)
			}
			if err := a.sayReport(b); err != nil {
				return err
			}
			return a.sayNobodys(c.Context(), args[0])
		},
	}
}

// sayNobodys tells a person at a terminal what comes next, where an assistant
// that answers is granted to nobody.
func (a *App) sayNobodys(ctx context.Context, id string) error {
	if !a.reads() {
		return nil
	}
	status, b, err := a.send(ctx, request{method: "GET", path: "/operator/grants?limit=1&assistant=" + url.QueryEscape(id)})
	var granted list[struct{}]
	if err != nil || status != http.StatusOK || json.Unmarshal(b, &granted) != nil || len(granted.Items) > 0 {
		return err
	}
	return a.say("Nobody may use it yet. To let everybody: %s\n", a.command(`call nodkeep_grant_set '{"assistant":"`+id+`","everybody":true,"allow":true}' --as OPERATOR`))
}

// sayReport prints what became of a test; what failed is the exit code, too.
func (a *App) sayReport(b []byte) error {
	var r struct {
		OK    bool `json:"ok"`
		Lines []struct {
			What  string `json:"what"`
			State string `json:"state"`
			Says  said   `json:"says"`
		} `json:"lines"`
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return failed(err)
	}
	if !a.reads() {
		if err := a.print(b); err != nil {
			return err
		}
	}
	for _, l := range r.Lines {
		switch {
		case a.reads():
			fmt.Fprintf(a.Stdout, "%-6s %-8s %s\n", l.State, l.What, visible(l.Says.Text))
		case l.State != string(roster.OK):
			fmt.Fprintf(a.Stderr, "%s: %s\n", l.What, visible(l.Says.Text))
		}
	}
	if !r.OK {
		return errSaid
	}
	return nil
}
