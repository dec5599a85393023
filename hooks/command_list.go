package hooks

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

func (a *App) toolsCommand() *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "tools", Short: "Lists the tools that a member may call", Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			var found struct {
				Items []struct {
					Name   string `json:"name"`
					Effect string `json:"effect"`
					Title  string `json:"title"`
				} `json:"items"`
			}
			return a.listed(c, request{method: "GET", path: "/tools", as: as}, &found, func() (rows [][]string) {
				for _, t := range found.Items {
					rows = append(rows, []string{t.Name, t.Effect, t.Title})
				}
				return rows
			})
		},
	}
	asFlag(c, &as)
	return c
}

func (a *App) auditListCommand() *cobra.Command {
	var as, agent, since, until, tool, state, person string
	var records []string
	var limit int
	c := &cobra.Command{
		Use: "list", Short: "Lists what was done on what the member may see, newest first", Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			q := url.Values{}
			for name, v := range map[string]string{"agent": agent, "since": since, "until": until, "tool": tool, "state": state, "person": person} {
				if v != "" {
					q.Set(name, v)
				}
			}
			if len(records) > 0 {
				q["record"] = records
			}
			if c.Flags().Changed("limit") {
				q.Set("limit", strconv.Itoa(limit))
			}
			var entries struct {
				Items []listedEntry `json:"items"`
			}
			return a.listed(c, request{method: "GET", path: "/audit?" + q.Encode(), as: as}, &entries, func() (rows [][]string) {
				for _, e := range entries.Items {
					rows = append(rows, e.row())
				}
				return rows
			})
		},
	}
	asFlag(c, &as)
	c.Flags().StringVar(&agent, "agent", "", "only what this agent did: the id of a token or an assistant")
	c.Flags().StringVar(&since, "since", "", "only since this time, such as 2027-03-14T00:00:00Z")
	c.Flags().StringVar(&until, "until", "", "only before this time")
	c.Flags().StringVar(&tool, "tool", "", "only of this tool")
	c.Flags().StringVar(&state, "state", "", "only those that were applied, refused, discarded, or that failed")
	c.Flags().StringVar(&person, "person", "", "only what this member did: a handle or an id")
	c.Flags().StringSliceVar(&records, "record", nil, "only what changed this record: its id; can be given more than once")
	c.Flags().IntVar(&limit, "limit", 50, "how many, 200 at most")
	return c
}

// listedEntry is an entry of the audit as a list shows it.
type listedEntry struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Tool    string    `json:"tool"`
	State   string    `json:"state"`
	Actor   struct {
		Door string `json:"door"`
	} `json:"actor"`
	Changes []struct {
		Op    string `json:"op"`
		Label string `json:"label"`
	} `json:"changes"`
	Unseen   int            `json:"unseen"`
	UndoneBy string         `json:"undone_by"`
	Args     jsontext.Value `json:"args"`
}

func (e listedEntry) row() []string {
	what := ""
	if len(e.Changes) > 0 {
		what = e.Changes[0].Op + " " + e.Changes[0].Label
	}
	if what == "" && e.Tool == "" {
		what = "something of others" // that it is there is all that this member may know
	}
	if more := len(e.Changes) - 1 + e.Unseen; more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	var asked assistant.Figures
	if e.Tool == tools.AskTool && json.Unmarshal(e.Args, &asked) == nil {
		what = figured(asked)
	}
	state := e.State
	if e.UndoneBy != "" {
		state = "taken back"
	}
	return []string{e.ID, e.Created.Local().Format("2006-01-02 15:04"), state, e.Actor.Door, e.Tool, what}
}

// figured is what a question took, in short.
func figured(f assistant.Figures) string {
	calls := 0
	for _, tool := range f.Tools {
		calls += tool.Calls
	}
	return fmt.Sprintf("%s: requests %d, tokens %d in, %d out, tools %d, changes %d, %.1f s", f.Assistant, f.Requests, f.Uncached+f.CacheRead+f.CacheWrite, f.Output, calls, f.Changes, float64(f.Took)/1000)
}

func asFlag(c *cobra.Command, as *string) {
	c.Flags().StringVar(as, "as", "", "the member who asks or acts: a handle or an e-mail address")
	_ = c.MarkFlagRequired("as") // the flag is there
}

// listed prints a list: to a person in columns, from what was read into v.
func (a *App) listed(c *cobra.Command, r request, v any, rows func() [][]string) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	status, b, err := a.send(c.Context(), r)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return a.refuse(b)
	}
	if !a.reads() || json.Unmarshal(b, v) != nil {
		return a.print(b)
	}
	return a.table(rows())
}
