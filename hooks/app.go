// Package hooks is where PocketBase calls us: routes, record hooks, jobs, the
// page at / and the commands. It makes one HTTP handler, which a server and a
// command without a server call alike.
package hooks

import (
	"context"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/pocketbase/pocketbase"
	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/assistant/reader"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/assistant/telemetry"
	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// Config of an App. The zero values of the streams are the process's own.
type Config struct {
	Plugins []tools.Plugin              // all that the binary has; NODKEEP_PLUGINS chooses
	Public  fs.FS                       // the web front end, in the folder pb_public; none is no front end
	DataDir string                      // unless --dir says otherwise; "" is pb_data beside the binary
	Env     func(string) (string, bool) // os.LookupEnv unless given
	Names   []string                    // of the variables there are, where Env is given
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	// Terminal says whether somebody can answer a question at Stdin, Screen
	// whether somebody reads Stdout.
	Terminal, Screen func() bool
}

// limit of a tool that writes, and so of every query.
const limit = 5 * time.Second

// App is one instance: a PocketBase app with its tools, routes and commands.
type App struct {
	Config
	pb       *pocketbase.PocketBase
	dir      string // the data folder, absolute
	settings settings
	problems []problem         // of the settings; the folder is not opened while there are any
	from     map[string]string // where each setting was read: the environment or its file; others are as by default

	said    atomic.Pointer[map[string]string] // what operators say of settings, by name
	oneSaid sync.Mutex                        // it is read by one at a time: what was read earlier must not come later

	// What follows is there once the folder is open.
	lock      *lock
	registry  *tools.Registry
	catalogue *i18n.Catalogue
	gate      *gate.Gate // decides for agents, in the runner
	runner    *tools.Runner
	handler   http.Handler
	base      string            // where the server answers, once it does
	tls       bool              // serve was asked for certificates
	domain    string            // the first that it was asked for
	domains   []string          // all of them
	origins   []string          // of other sites that may call the API
	forwarded notice            // a header by which something near sent a request on
	live      func(base string) // called once the server answers
	yield     func()            // gives the folder up to another process; nil where this one stays
	over      func() error      // says that the server was told to stop
	listener  net.Listener      // of the server to be, taken before the folder is touched
	json      bool              // results are JSON also on a screen
	newKey    bool              // this start made the key
	looking   bool              // a command that only looks: it reports a key that does not fit
	now       func() time.Time  // the clock of tools and of the gate; nil is time.Now
	ticket    time.Duration     // how long a preview can be applied; 0 is the engine's
	reading   time.Duration     // for a file to come, and again for it to be read
	desk      *reader.Desk      // where files are read
	coming    time.Duration     // for a file for tools to come
	uploads   *upload.Store     // files that were given for tools
	schema    map[string]kept   // what the schema must keep, by a collection's id
	settled   time.Duration     // after it a server fetches from its sources
	transport http.RoundTripper // what sources are fetched through; nil is the default
	tried     sync.Map          // name of a source -> tried
	retained  moment            // when this server last erased what is old enough
	visits    live              // what accounts and tokens have under way
	badge     badge             // tells operators how many wait
	fitting   *mcp.Fitting      // for the conformance suite; nil
	// tokenEnded is told, by id, of a token that is another, or none, from now on;
	// nil where nobody asks.
	tokenEnded func(token string)

	observed func(context.Context) error // sends what the observer of models has seen

	agents agents           // tokens that were looked at a moment ago
	calls  held[agentCalls] // requests of tokens that are under way
	door   *mcp.Door        // for agents
	keys   tools.Keys       // derived from the instance's one

	ledger   *budget.Ledger     // what models cost, and may
	roster   *roster.Roster     // which models there are
	asked    http.RoundTripper  // what models are asked through; nil is the default
	observer telemetry.Observer // told of each turn and call of a model; nil where nobody asks
	scripts  []roster.Script    // assistants without a model; a demonstration has one

	demonstrates bool // it is a demonstration, thrown away at the end

	loop      *assistant.Loop // answers questions to assistants
	streams   held[string]    // of answers, by person
	documents held[string]    // documents that an assistant reads, by person
	carried   held[string]    // questions with files that are under way, by person
	exports   held[string]    // of all that is kept of a person, by person

	publicDir string // files that are served instead of the front end's own, or beside it
	front     *front // what browsers are given; nil where there is none

	walking sync.Mutex // the audit chain is walked by one at a time

	crowd // what strangers may do at a time
}

// New makes an App. Nothing is opened or written before Run.
func New(c Config) *App {
	if c.Env == nil {
		c.Env, c.Names = os.LookupEnv, variables()
	}
	if c.Stdin == nil {
		c.Stdin = os.Stdin
	}
	if c.Stdout == nil {
		c.Stdout = os.Stdout
	}
	if c.Stderr == nil {
		c.Stderr = os.Stderr
	}
	if c.Terminal == nil {
		c.Terminal = func() bool { return isatty.IsTerminal(os.Stdin.Fd()) }
	}
	if c.Screen == nil {
		c.Screen = func() bool { return isatty.IsTerminal(os.Stdout.Fd()) }
	}
	a := &App{
		Config: c, crowd: newCrowd(), over: func() error { return nil },
		reading: readingTime, coming: uploadTime, settled: settled,
	}
	a.pb = pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: c.DataDir, DefaultQueryTimeout: limit, HideStartBanner: true})
	a.dir = a.pb.DataDir()
	if abs, err := filepath.Abs(a.dir); err == nil {
		a.dir = abs
	}
	// Key and head lie beside the folder itself, whatever links lead to it.
	if target, err := filepath.EvalSymlinks(a.dir); err == nil {
		a.dir = target
	}
	a.settings, a.problems = readSettings(c.Env, c.Names, filepath.Join(filepath.Dir(a.dir), envFile), pluginNames(c.Plugins), sourceNames(c.Plugins))
	a.from = settingsFrom(c.Env, a.dir)
	a.bindServe()
	a.bindProxy()
	a.bindTopics()
	a.bindBadge()
	a.bindDashboard()
	a.bindBatch()
	a.bindJobs()
	a.bindBackups()
	a.bindSchema()
	a.bindSignIn()
	a.bindAdmission()
	a.bindDecoys()
	a.bindStanding()
	a.bindEviction()
	a.bindTokens()
	a.bindAgents()
	a.bindAssistants()
	a.bindSaid()
	a.bindSignUp()
	a.bindCommands()
	return a
}

func pluginNames(plugins []tools.Plugin) []string {
	names := make([]string, len(plugins))
	for i, p := range plugins {
		names[i] = p.Name()
	}
	return names
}

// sourceNames are those that the loaded plugins of these could have fetched.
func sourceNames(plugins []tools.Plugin) func(loaded []string) []string {
	return func(loaded []string) (names []string) {
		for _, p := range plugins {
			if s, ok := p.(tools.Sourcer); ok && slices.Contains(loaded, p.Name()) {
				for _, source := range s.Sources() {
					names = append(names, source.Name)
				}
			}
		}
		return names
	}
}

// version is that of the build, and of the PocketBase in it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	own := strings.Trim(info.Main.Version, "()")
	for _, d := range info.Deps {
		if d.Path == "github.com/pocketbase/pocketbase" {
			return own + ", PocketBase " + d.Version
		}
	}
	return own
}

func (a *App) root() *cobra.Command { return a.pb.RootCmd }
