package hooks

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
)

func (a *App) doctorCommand() *cobra.Command {
	var live bool
	c := &cobra.Command{
		Use: "doctor", Short: "Checks settings and files, names each problem and its fix", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if live {
				return a.checkLive(c)
			}
			return a.doctor(c)
		},
	}
	c.Flags().BoolVar(&live, "live", false, "only checks that a server answers on this folder")
	return c
}

func (a *App) checkLive(c *cobra.Command) error {
	if !a.answers() {
		return failure{fmt.Errorf("no server answers on %s", a.dir)}
	}
	status, _, err := a.send(c.Context(), request{method: "GET", path: "/texts/en"})
	if err == nil && status != http.StatusOK {
		err = failure{fmt.Errorf("the server on %s answers with status %d", a.dir, status)}
	}
	return err
}

// doctor prints what it looked at, line by line. The folder is opened only
// when nothing stands against it, and only if there is one.
func (a *App) doctor(c *cobra.Command) error {
	checks := a.examine()
	server := check{Name: "server", Says: "none runs on this folder"}
	if a.answers() {
		server.Says = "answers on this folder (" + holder(a.dir) + ")"
	}
	checks = append(checks, server)
	switch {
	case faults(checks) > 0:
	case a.used():
		checks = append(checks, a.inside(c)...)
	default:
		checks = append(checks, a.weakSettings()...)
	}
	return a.tellChecks(checks)
}

// tellChecks prints what was found: JSON to a program, with the problems as
// sentences on standard error, and text to a person.
func (a *App) tellChecks(checks []check) error {
	n := faults(checks)
	if !a.reads() {
		for i := range checks {
			checks[i].OK = !checks[i].wrong()
		}
		b, err := json.Marshal(struct {
			OK     bool    `json:"ok"`
			Checks []check `json:"checks"`
		}{n == 0, checks})
		if err != nil {
			return failed(err)
		}
		if err := a.print(b); err != nil {
			return err
		}
	}
	for _, ch := range checks {
		switch {
		case ch.Fix != "" && a.reads():
			mark := "WEAK "
			if ch.wrong() {
				mark = "WRONG"
			}
			fmt.Fprintf(a.Stdout, "%s %-12s %s\n      %-12s %s\n", mark, ch.Name, ch.Says, "", ch.Fix)
		case ch.Fix != "":
			fmt.Fprintf(a.Stderr, "%s: %s. %s\n", ch.Name, strings.TrimSuffix(ch.Says, "."), ch.Fix)
		case a.reads():
			fmt.Fprintf(a.Stdout, "ok    %-12s %s\n", ch.Name, ch.Says)
		}
	}
	if n > 0 {
		return failure{fmt.Errorf("problems found: %d", n)}
	}
	return nil
}

func (a *App) inside(c *cobra.Command) []check {
	a.looking = true
	status, b, err := a.send(c.Context(), request{method: "GET", path: "/local/checks"})
	var found list[check]
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("it answers with status %d", status)
	}
	if err == nil {
		err = json.Unmarshal(b, &found)
	}
	if err != nil {
		fix := "Put right what it says, or restore a backup."
		if errors.Is(err, errLocked) {
			fix = "Wait until the command that has it is done."
		}
		return []check{{Name: "opening", Says: "the data folder cannot be opened: " + err.Error(), Fix: fix}}
	}
	return found.Items
}

// wrong says that something does not work as it should.
func (c check) wrong() bool { return c.Fix != "" && !c.Weak }

func faults(checks []check) (n int) {
	for _, c := range checks {
		if c.wrong() {
			n++
		}
	}
	return n
}
