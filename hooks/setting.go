package hooks

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/telemetry"
	"github.com/nodkeep/nodkeep/tools"
)

// envFile may hold settings, beside the data folder. The environment wins.
const envFile = "assistants.env"

// settings are what the environment says of the instance.
type settings struct {
	Plugins   []string
	Sources   []string // that are fetched from outside
	URL       string   // where the instance is reached from outside; may be ""
	Key       string
	AuditDays int
	UndoDays  int
	SignUp    string   // open, approval or closed
	Waiting   int      // how many sign-ups may wait at a time
	Proxy     []string // headers in which a trusted proxy says who asks; none: what the dashboard says
	Origins   []string // of other sites that may call the API

	OwnSurfaces  bool     // a nod counts on our own surfaces only
	Forbid, Asks []string // tools that no agent may call, or only with a nod

	Limits    assistant.Limits // of questions to assistants
	models    modelSettings
	Telemetry telemetry.Settings // where measurements of models go
}

// mostWaiting is how many sign-ups may wait at most, whatever is set.
const mostWaiting = 1000

// Who may sign up, as NODKEEP_SIGN_UP says.
const (
	signUpOpen     = "open"
	signUpApproval = "approval"
	signUpClosed   = "closed"
)

// problem is a setting that cannot be read, and what to do about it. It never
// quotes a value: it may be a secret in the wrong place.
type problem struct{ Name, What, Fix string }

// String names the setting, what is wrong, and the fix.
func (p problem) String() string { return p.Name + " " + p.What + ". " + p.Fix }

// reading collects settings and what is wrong with them.
type reading struct {
	env      func(string) (string, bool)
	names    []string // of the variables there are
	file     map[string]string
	problems []problem
}

// readSettings reads them for a binary that has the plugins known. What sources
// there are depends on the plugins that are chosen. Names are those of the
// environment's variables: one that is mistyped says nothing by itself.
func readSettings(env func(string) (string, bool), names []string, file string, known []string, sources func(plugins []string) []string) (settings, []problem) {
	r := &reading{env: env, names: names}
	r.load(file)
	s := settings{
		Plugins:   r.list("NODKEEP_PLUGINS", "a plugin that this binary does not have", known, known),
		URL:       r.address("NODKEEP_URL"),
		Key:       r.get("NODKEEP_ENCRYPTION_KEY"),
		AuditDays: r.days("NODKEEP_AUDIT_DAYS", 400),
		UndoDays:  r.days("NODKEEP_UNDO_DAYS", 30),
		SignUp:    r.choice("NODKEEP_SIGN_UP", signUpApproval, signUpOpen, signUpApproval, signUpClosed),
		Waiting:   r.number("NODKEEP_WAITING_MAX", 10, 1, mostWaiting),
		Proxy:     r.headers("NODKEEP_TRUSTED_PROXY"),
		Origins:   r.origins("NODKEEP_ORIGINS"),

		OwnSurfaces: r.yes("NODKEEP_OWN_SURFACES"),
		Forbid:      r.parts("NODKEEP_FORBID_TOOLS"),
		Asks:        r.parts("NODKEEP_ASK_TOOLS"),

		Limits:    r.limits(),
		models:    r.models(),
		Telemetry: telemetry.Read(r.get, r.wrong),
	}
	s.Sources = r.list("NODKEEP_SOURCES", "a source that no loaded plugin has", nil, sources(s.Plugins))
	if s.Key != "" && len(s.Key) < tools.MinKey {
		r.wrong("NODKEEP_ENCRYPTION_KEY", fmt.Sprintf("has %d characters", len(s.Key)), fmt.Sprintf("Give at least %d, for example from: openssl rand -hex 32", tools.MinKey))
	}
	if s.UndoDays > s.AuditDays {
		r.wrong("NODKEEP_UNDO_DAYS", fmt.Sprintf("is %d, but what undo needs is erased after NODKEEP_AUDIT_DAYS (%d)", s.UndoDays, s.AuditDays), "Give at most as many.")
	}
	return s, r.problems
}

func (r *reading) wrong(name, what, fix string) {
	r.problems = append(r.problems, problem{name, what, fix})
}

// load reads the file of settings, if there is one that nobody else can read.
func (r *reading) load(path string) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.wrong(path, "cannot be read: "+err.Error(), "Let the user that runs nodkeep read it.")
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	if info, err := f.Stat(); err != nil || info.Mode().Perm()&0o077 != 0 {
		r.wrong(path, "can be read by others, and may hold secrets", "Run: chmod 600 "+quoted(path))
		return
	}
	r.file = map[string]string{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t\"'") {
			r.wrong(path, fmt.Sprintf("has no NAME=value in line %d", n), "Correct the line, or begin it with #.")
			continue
		}
		r.file[name] = unquote(strings.TrimSpace(value))
	}
	if err := lines.Err(); err != nil {
		r.wrong(path, "cannot be read: "+err.Error(), "Write one NAME=value a line.")
	}
}

func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

func (r *reading) get(name string) string {
	if v, ok := r.env(name); ok && strings.TrimSpace(v) != "" {
		return strings.TrimSpace(v)
	}
	return r.file[name]
}

func (r *reading) days(name string, or int) int {
	v := r.get(name)
	if v == "" {
		return or
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 36500 {
		r.wrong(name, "is no number of days", fmt.Sprintf("Give a whole number from 1 to 36500, or leave it out for %d.", or))
		return or
	}
	return n
}

func (r *reading) choice(name, or string, choices ...string) string {
	v := strings.ToLower(r.get(name))
	if v == "" {
		return or
	}
	if !slices.Contains(choices, v) {
		r.wrong(name, "is none of its choices", "Give "+strings.Join(choices, ", ")+", or leave it out for "+or+".")
		return or
	}
	return v
}

func (r *reading) address(name string) string {
	v := r.get(name)
	if v == "" {
		return ""
	}
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		r.wrong(name, "is no address of a web site", "Give one such as https://nodkeep.example.org, or leave it out.")
		return ""
	}
	return strings.TrimRight(v, "/")
}
