package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/pocketbase/pocketbase/cmd"
	"github.com/spf13/cobra"
)

// The exit codes of commands.
const (
	exitOK     = 0
	exitFailed = 1 // refused, or it did not work
	exitUsage  = 2
)

// failure is a command that was understood and did not work. Any other error
// of cobra is one of usage.
type failure struct{ error }

// errSaid ends a command whose reason stands on standard error already.
var errSaid = failure{errors.New("said")}

func failed(err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[failure](err); ok {
		return f
	}
	return failure{err}
}

// Run executes a command line and gives its exit code.
func (a *App) Run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	root := a.root()
	root.SetArgs(args)
	ran, err := root.ExecuteContextC(ctx)
	if closed := a.close(); err == nil && closed != nil {
		err = failure{closed}
	}
	switch _, is := errors.AsType[failure](err); {
	case err == nil:
		return exitOK
	case errors.Is(err, errSaid):
		return exitFailed
	case is:
		fmt.Fprintln(a.Stderr, err)
		return exitFailed
	}
	fmt.Fprintf(a.Stderr, "%v\nSee: %s --help\n", err, ran.CommandPath())
	return exitUsage
}

func (a *App) bindCommands() {
	root := a.root()
	root.Use, root.Short, root.Version = "nodkeep", "Nodkeep: people and agents on the same data, each change shown before and undoable after", version()
	// PocketBase needs them while it looks for --dir; a command must not
	// swallow what it does not know.
	root.FParseErrWhitelist = cobra.FParseErrWhitelist{}
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetHelpCommand(nil) // PocketBase takes it away
	root.PersistentFlags().StringVar(&a.publicDir, "publicDir", "", "the folder with an app's own web pages (pb_public beside the data folder, if there is one)")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print results as JSON also on a terminal")
	root.AddCommand(a.serveCommand(), a.superuserCommand(), a.accountCommand(), a.operatorCommand(), a.tokenCommand(), a.proposalCommand(), a.connectCommand(), a.assistantCommand(), a.askCommand(), a.callCommand(), a.importCommand(),
		a.undoCommand(), a.exportCommand(), a.restoreCommand(), a.toolsCommand(), a.auditCommand(), a.doctorCommand(), a.demoCommand(), a.evalCommand(), a.mcpCommand(), a.wireCommand(), a.recordCommand())
	for _, c := range root.Commands() {
		if c.HasSubCommands() && !c.Runnable() {
			group(c)
		}
	}
}

// serveCommand is PocketBase's, with the folder held and opened before.
func (a *App) serveCommand() *cobra.Command {
	c := cmd.NewServeCommand(a.pb, false)
	run := c.RunE
	origins := c.PersistentFlags().Lookup(originsFlag)
	origins.DefValue, origins.Usage = "", "other sites that may call the API (*: all), with commas between; NODKEEP_ORIGINS unless given"
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := a.allow(c); err != nil {
			return failed(err)
		}
		https, _ := c.Flags().GetString("https")
		a.tls, a.live = https != "" || len(args) > 0, a.greet
		if len(args) > 0 {
			a.domain, a.domains = args[0], args
		}
		if !a.tls {
			address, _ := c.Flags().GetString("http")
			if err := a.listen(cmp.Or(address, "127.0.0.1:8090")); err != nil {
				return failed(err)
			}
		}
		return failed(a.serve(c.Context(), func() error { return run(c, args) }))
	}
	return c
}

// superuserCommand is PocketBase's. It writes past the tools, so it needs the
// folder for itself.
func (a *App) superuserCommand() *cobra.Command {
	c := cmd.NewSuperuserCommand(a.pb)
	for _, sub := range c.Commands() {
		run := sub.RunE
		sub.RunE = func(c *cobra.Command, args []string) error {
			err := a.takeFolder(c.Context(), func() error {
				return fmt.Errorf("a server runs on %s (%s); stop it for the time of this command", a.dir, holder(a.dir))
			})
			if err == nil {
				err = a.open()
			}
			if err == nil {
				a.tellKey(a.Stdout)
				err = run(c, args)
			}
			return failed(err)
		}
	}
	return c
}
