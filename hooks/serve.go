package hooks

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// bindServe puts our routes into PocketBase's server, and its handler behind
// the socket.
func (a *App) bindServe() {
	a.pb.OnServe().Bind(&hook.Handler[*core.ServeEvent]{Id: "nodkeepSocket", Priority: -9999, Func: a.onServe})
	// Late, so that a route that somebody else has taken is found.
	a.pb.OnServe().Bind(&hook.Handler[*core.ServeEvent]{Id: "nodkeepRoutes", Priority: 9000, Func: func(e *core.ServeEvent) error {
		if err := a.bindRoutes(e.Router); err != nil {
			return err
		}
		return e.Next()
	}})
}

// onServe wraps all others: what it sees after Next is the handler as it is
// served.
func (a *App) onServe(e *core.ServeEvent) error {
	// People's accounts come first here; a superuser is made by its command.
	e.InstallerFunc = nil
	if e.Listener == nil && !a.tls { // with certificates PocketBase makes its own
		l, err := net.Listen("tcp", e.Server.Addr)
		if err != nil {
			return fmt.Errorf("%w; choose another address with --http", err)
		}
		e.Listener = l
	}
	if err := e.Next(); err != nil {
		return err
	}
	a.handler = e.Server.Handler
	socket, err := a.listenLocal(a.handler)
	if err != nil {
		return err
	}
	a.pb.OnTerminate().Bind(&hook.Handler[*core.TerminateEvent]{Id: "nodkeepSocket", Priority: -9999, Func: func(te *core.TerminateEvent) error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		err := socket.Shutdown(ctx)
		if rm := os.Remove(filepath.Join(a.dir, socketName)); rm != nil && !errors.Is(rm, os.ErrNotExist) {
			err = errors.Join(err, rm)
		}
		if err != nil {
			te.App.Logger().Warn("the socket did not close in time", "error", err)
		}
		return te.Next()
	}})
	base := "http://" + e.Server.Addr
	if e.Listener != nil {
		base = "http://" + e.Listener.Addr().String()
	}
	if a.tls {
		base = "https://" + e.Server.Addr
	}
	if a.live != nil {
		a.live(base)
	}
	return nil
}

// greet says where the server is, and on a first start how to go on.
func (a *App) greet(base string) {
	if a.settings.URL != "" {
		base = a.settings.URL
	}
	fmt.Fprintf(a.Stdout, "Nodkeep serves %s\n  page       %s/\n  API        %s/api/nodkeep/\n  dashboard  %s/_/\n", a.dir, base, base, base)
	if n, err := a.pb.CountRecords("users", dbx.HashExp{"status": "approved"}); err == nil && n == 0 {
		fmt.Fprintf(a.Stdout, "There is no account yet. Make the first one:\n  %s\n", a.firstAccount())
	}
}

// firstAccount is the command that makes the first account, as it must be
// typed for this folder.
func (a *App) firstAccount() string {
	command := os.Args[0] + " account add NAME --operator"
	if f := a.root().PersistentFlags().Lookup("dir"); f != nil && f.Changed {
		command += " --dir " + f.Value.String()
	}
	return command
}
