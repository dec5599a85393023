package hooks

import (
	"encoding/json/v2"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
)

func (a *App) tokenCommand() *cobra.Command {
	c := &cobra.Command{Use: "token", Short: "Makes tokens by which agents act for a member"}
	c.AddCommand(a.tokenCreateCommand(), a.tokenListCommand(), a.tokenUpdateCommand(),
		a.tokenRotateCommand(), a.tokenRevokeCommand())
	return c
}

// tokenFlags are the terms of a token. Only those that are given are sent.
type tokenFlags struct {
	name, mode, tools, expires string
	plugins                    []string
	own                        bool
	writes                     int
}

func (f *tokenFlags) bind(c *cobra.Command) {
	c.Flags().StringVar(&f.mode, "mode", "", "read, ask (each change waits for a nod), write or trusted; ask unless given")
	c.Flags().StringVar(&f.name, "name", "", "what it is for, as cards and the audit say it")
	c.Flags().StringVar(&f.tools, "tools", "", "core or all: which tools the agent is shown; core unless given")
	c.Flags().StringSliceVar(&f.plugins, "plugins", nil, "only these plugins, with commas between; none: all")
	c.Flags().BoolVar(&f.own, "own-surfaces", false, "a nod counts only where Nodkeep shows the card itself, not in the agent's program")
	c.Flags().StringVar(&f.expires, "expires", "", "a day (2027-03-31), a time, or days as 90d; never unless given")
	c.Flags().IntVar(&f.writes, "daily-writes", 0, "how many changes a day, 50 unless given")
}

// args are the arguments of the tool, by the flags that were given.
func (f *tokenFlags) args(c *cobra.Command) map[string]any {
	args := map[string]any{}
	plugins := f.plugins
	if plugins == nil {
		plugins = []string{}
	}
	for flag, v := range map[string]any{
		"mode": f.mode, "name": f.name, "tools": f.tools, "plugins": plugins,
		"own-surfaces": f.own, "expires": f.expires, "daily-writes": f.writes,
	} {
		if c.Flags().Changed(flag) {
			args[strings.ReplaceAll(flag, "-", "_")] = v
		}
	}
	return args
}

func (a *App) tokenCreateCommand() *cobra.Command {
	var as string
	f := &tokenFlags{}
	c := &cobra.Command{
		Use: "create", Short: "Makes a token and prints it, once", Args: wants(0, 0),
		Example: "  nodkeep token create --as ana --mode ask --name Claude --expires 90d",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.handOut(c, as, "/tokens", f.args(c), "What to put where: "+a.command("connect"))
		},
	}
	asFlag(c, &as)
	f.bind(c)
	return c
}

func (a *App) tokenRotateCommand() *cobra.Command {
	var as, expires string
	c := &cobra.Command{
		Use: "rotate TOKEN", Short: "Gives a token a new secret and prints it, once; the old one is worth nothing", Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := a.tokenNamed(c.Context(), as, args[0])
			if err != nil {
				return err
			}
			in := map[string]any{}
			if c.Flags().Changed("expires") {
				in["expires"] = expires
			}
			return a.handOut(c, as, "/tokens/"+url.PathEscape(id)+"/rotate", in, "Put it where the old one was: that is worth nothing any more.")
		},
	}
	asFlag(c, &as)
	c.Flags().StringVar(&expires, "expires", "", "a new end; one that has expired needs it")
	return c
}

// handOut has a secret made and prints it: as JSON to everybody, since that is
// what is copied.
func (a *App) handOut(c *cobra.Command, as, path string, in map[string]any, then string) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	body, err := json.Marshal(in)
	if err != nil {
		return failed(err)
	}
	out, err := a.outputOf(c.Context(), as, path, body)
	if err != nil {
		return err
	}
	var made struct {
		ID     string `json:"id"`
		Secret string `json:"token"`
	}
	if err := json.Unmarshal(out, &made); err != nil {
		return failed(err)
	}
	b, err := json.Marshal(made)
	if err == nil {
		err = a.print(b)
	}
	if err == nil && a.reads() {
		fmt.Fprintf(a.Stderr, "Whoever has this acts for %s. It is shown only now. %s\n", visible(as), then)
	}
	return failed(err)
}

func (a *App) tokenUpdateCommand() *cobra.Command {
	f := &tokenFlags{}
	return a.tokenActCommand("update TOKEN", "Changes what a token may; what is not given stays", "", f.bind, f.args)
}

func (a *App) tokenRevokeCommand() *cobra.Command {
	return a.tokenActCommand("revoke TOKEN", "Makes a token good for nothing, at once and for good", "/revoke",
		func(*cobra.Command) {}, func(*cobra.Command) map[string]any { return map[string]any{} })
}

// tokenActCommand does something with a token.
func (a *App) tokenActCommand(use, short, path string, bind func(*cobra.Command), in func(*cobra.Command) map[string]any) *cobra.Command {
	n := &nod{}
	c := &cobra.Command{
		Use: use, Short: short, Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.needsFolder(); err != nil {
				return err
			}
			id, err := a.tokenNamed(c.Context(), n.as, args[0])
			if err != nil {
				return err
			}
			body, err := json.Marshal(in(c))
			if err != nil {
				return failed(err)
			}
			return a.change(c.Context(), n, "/tokens/"+url.PathEscape(id)+path, body)
		},
	}
	n.flags(c)
	bind(c)
	return c
}
