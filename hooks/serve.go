package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode"

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
	if e.Listener == nil && a.listener != nil { // with certificates PocketBase makes its own
		e.Listener = a.listener
	}
	if err := e.Next(); err != nil {
		return err
	}
	a.handler, a.base = e.Server.Handler, a.baseFor(e)
	socket, err := a.listenLocal(a.handler)
	if err != nil {
		return err
	}
	a.pb.OnTerminate().Bind(&hook.Handler[*core.TerminateEvent]{Id: "nodkeepSocket", Priority: -9999, Func: func(te *core.TerminateEvent) error {
		a.loop.Close() // whoever follows an answer is told its end
		a.closeLocal(socket, time.Second)
		return te.Next()
	}})
	// A signal from before the handlers were bound has reached none of them.
	if a.over() != nil {
		a.closeLocal(socket, time.Second)
		return http.ErrServerClosed
	}
	if a.live != nil {
		a.live(a.base)
	}
	go debug.FreeOSMemory() // to open a folder takes more than to serve it: schemas, sentences, pages
	return nil
}

// baseFor is where a server that is about to serve will answer.
func (a *App) baseFor(e *core.ServeEvent) string {
	switch {
	case a.tls:
		return "https://" + atDomain(a.domain, e.Server.Addr)
	case e.Listener != nil:
		return "http://" + reachable(e.Listener.Addr())
	}
	return "http://" + e.Server.Addr
}

// atDomain is an address by the name that its certificate is for, if it has one.
func atDomain(domain, address string) string {
	_, port, err := net.SplitHostPort(address)
	switch {
	case err != nil || domain == "":
		return address
	case port == "443" || port == "https":
		return domain
	}
	return net.JoinHostPort(domain, port)
}

// reachable is an address that a browser on this machine can open: one that
// stands for all of the machine's is none.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}

// closeLocal closes the socket. What is under way may finish for a while.
func (a *App) closeLocal(socket *doorway, finish time.Duration) {
	err := socket.shut(finish, heeding)
	if rm := os.Remove(filepath.Join(a.dir, socketName)); rm != nil && !errors.Is(rm, os.ErrNotExist) {
		err = errors.Join(err, rm)
	}
	if err != nil {
		a.pb.Logger().Warn("the socket did not close in time", "error", err)
	}
}

// listen takes the server's address. It comes before all else, so that one
// that is taken leaves no folder behind.
func (a *App) listen(address string) error {
	if a.answers() && !a.givesWay(context.Background(), http.MethodGet) {
		return a.alreadyRuns()
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%w; choose another address with --http", err)
	}
	a.listener = l
	return nil
}

func (a *App) alreadyRuns() error {
	return fmt.Errorf("a server already runs on %s (%s); stop it first, or give another folder with --dir", a.dir, holder(a.dir))
}

// greet says where the server is, and how to go on.
func (a *App) greet(base string) {
	if a.settings.URL != "" {
		base = a.settings.URL
	}
	var says strings.Builder // in one piece: whoever waits for the first line reads on at once
	fmt.Fprintf(&says, "Nodkeep serves %s\n  page       %s/\n  API        %s%s/\n  dashboard  %s/_/\n", a.dir, base, base, prefix, base)
	a.tellKey(&says)
	says.WriteString(a.nextSteps(base))
	_, _ = io.WriteString(a.Stdout, says.String()) // whoever started it may be gone
}

// nextSteps is how to go on: with an account, which is made by a link in the
// browser, or by a command.
func (a *App) nextSteps(base string) string {
	n, err := countMembers(a.pb)
	switch {
	case err != nil:
		return "" // only words depend on it
	case n > 0:
		says := fmt.Sprintf("Next, for example:\n  %s\n  %s\n", a.command("import statement.csv --as NAME"), a.command("tools --as NAME"))
		if operators, err := countOperators(a.pb); err == nil && operators == 0 {
			says += fmt.Sprintf("No member is an operator yet, who lets others in. Name one:\n  %s\n", a.command("operator add NAME"))
		}
		return says
	}
	path, err := a.firstLink()
	if err != nil {
		return fmt.Sprintf("There is no account yet. Make the first one:\n  %s\n", a.firstAccount())
	}
	return fmt.Sprintf("There is no account yet. Make the first one, an operator's, by this link, good once and for seven days:\n  %s%s\nor by a command:\n  %s\n", base, path, a.firstAccount())
}

func (a *App) firstAccount() string { return a.command("account add NAME --operator") }

// command is a command line as it must be typed for this folder.
func (a *App) command(line string) string {
	line = quoted(os.Args[0]) + " " + line
	if f := a.root().PersistentFlags().Lookup("dir"); f != nil && f.Changed {
		line += " --dir " + quoted(f.Value.String())
	}
	return line
}

// quoted is a word as a shell takes it.
func quoted(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+:,@%=", r)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
