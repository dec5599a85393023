package hooks

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant/client"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// maxToken is far more than a token has, in bytes.
const maxToken = 4 << 10

func (a *App) connectCommand() *cobra.Command {
	var token, transport, at string
	var try bool
	c := &cobra.Command{
		Use: "connect [CLIENT]", Short: "Says what to put where for a client to connect: Claude, Cursor, VS Code and others",
		Args:    wants(0, 1),
		Example: "  nodkeep connect cursor\n  " + client.Variable + "=nk_… nodkeep connect claude-code",
		RunE: func(c *cobra.Command, args []string) error {
			if t := client.Transport(transport); t != "" && t != client.HTTP && t != client.Stdio {
				return fmt.Errorf("--transport is %s or %s", client.HTTP, client.Stdio)
			}
			switch {
			case try && len(args) > 0:
				return fmt.Errorf("--test is for every client: leave out %q", args[0])
			case at != "" && !try:
				return errors.New("--url goes with --test")
			}
			secret, err := a.tokenToShow(c.Context(), token)
			if err != nil {
				return err
			}
			if try {
				return a.tryClient(c.Context(), at, secret)
			}
			return a.sayConnect(c, strings.Join(args, ""), client.Transport(transport), secret)
		},
	}
	c.Flags().StringVar(&token, "token", "", "-: reads a token from standard input and puts it into what is printed, as "+client.Variable+" does if it is set")
	c.Flags().StringVar(&transport, "transport", "", "only this way: http, or stdio on the machine of the data")
	c.Flags().BoolVar(&try, "test", false, "connects as a client does, with the token in "+client.Variable+", and says what it sees")
	c.Flags().StringVar(&at, "url", "", "with --test: the address to connect to; unless given, the instance of the data folder itself")
	return c
}

// tokenToShow is the token that is to stand in what is printed, if one is given
// on purpose. As an argument others on the machine could read it.
func (a *App) tokenToShow(ctx context.Context, flag string) (string, error) {
	token, _ := a.Env(client.Variable)
	switch flag {
	case "":
	case "-":
		b, err := untilStopped(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(a.Stdin, maxToken)) })
		if err != nil {
			return "", failed(err)
		}
		token = string(b)
	default:
		return "", fmt.Errorf("--token takes - alone: give the token on standard input or in %s, where nobody else reads it", client.Variable)
	}
	if token = strings.TrimSpace(token); token == "" {
		return "", nil
	}
	if !tools.IsToken(token) || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", failure{errors.New("that is no token of an agent: those begin with " + tools.TokenPrefix)}
	}
	return token, nil
}

// sayConnect prints what clients are told. It needs no data: only where the
// server answers, if one does.
func (a *App) sayConnect(c *cobra.Command, name string, only client.Transport, token string) error {
	f := client.Facts{Address: a.settings.URL, Binary: a.program(), Dir: a.dir, Token: token}
	if f.Address == "" && a.answers() {
		base, err := a.baseOf(c)
		if err != nil {
			return err
		}
		f.Address = base
	}
	catalogue, err := i18n.Load(i18n.Core(), client.Locales())
	if err != nil {
		return failed(err)
	}
	all, err := connections(f, name)
	if own, ok := errors.AsType[*tools.Error](err); ok {
		return failure{errors.New(catalogue.English(own.Text))}
	}
	for i := range all.Items {
		ways := &all.Items[i].Ways
		*ways = slices.DeleteFunc(*ways, func(w client.Way) bool { return only != "" && w.Transport != only })
	}
	if !a.reads() {
		b, err := json.Marshal(all, json.WithMarshalers(catalogue.Marshalers("en")), json.Deterministic(true))
		if err != nil {
			return failed(err)
		}
		return a.print(b)
	}
	if name == "" {
		return a.sayClients(all)
	}
	for _, w := range all.Items[0].Ways {
		if err := a.sayWay(catalogue, all.Items[0].Name, w); err != nil {
			return err
		}
	}
	return nil
}

// sayClients lists whom there is something to tell.
func (a *App) sayClients(all connectable) error {
	rows := make([][]string, len(all.Items))
	for i, c := range all.Items {
		rows[i] = []string{c.ID, c.Name}
	}
	if err := a.table(rows); err != nil {
		return err
	}
	return a.say("What to put where, for example:\n  %s\n", a.command("connect "+all.Items[0].ID))
}

// sayWay prints one way to connect a client.
func (a *App) sayWay(catalogue *i18n.Catalogue, name string, w client.Way) error {
	var b strings.Builder
	over := "over HTTP"
	if w.Transport == client.Stdio {
		over = "over standard input and output"
	}
	fmt.Fprintf(&b, "%s, %s\n", name, over)
	for n, s := range w.Steps {
		fmt.Fprintf(&b, "  %d. %s\n", n+1, catalogue.English(s))
	}
	for _, s := range w.Notes {
		fmt.Fprintf(&b, "  %s\n", catalogue.English(s))
	}
	if w.Command != "" {
		fmt.Fprintf(&b, "\n%s\n", w.Command)
	}
	if w.Link != "" {
		fmt.Fprintf(&b, "\n%s\n", w.Link)
	}
	b.WriteByte('\n')
	for _, f := range w.Files {
		b.WriteString(strings.TrimSpace(f.System+" "+f.Path) + "\n")
	}
	fmt.Fprintf(&b, "%s\n", w.Snippet)
	return a.say("%s", visible(b.String()))
}
