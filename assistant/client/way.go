package client

import (
	"encoding/base64"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"net/netip"
	"net/url"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// entry is a server as clients write it. The fields of an address are those of
// different clients.
type entry struct {
	Type      string            `json:"type,omitzero"`
	URL       string            `json:"url,omitzero"`
	ServerURL string            `json:"serverUrl,omitzero"`
	HTTPURL   string            `json:"httpUrl,omitzero"`
	Headers   map[string]string `json:"headers,omitempty"`
	Noted     string            `json:"bearer_token_env_var,omitzero"`
	Command   string            `json:"command,omitzero"`
	Args      []string          `json:"args,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
}

// input is what a client asks its person for.
type input struct {
	Type        string `json:"type"`
	ID          string `json:"id"`
	Description string `json:"description"`
	Password    bool   `json:"password"`
}

// inputID names the question for the token.
const inputID = Server + "-token"

// way is how the client is connected to the instance of f.
func (r recipe) way(t Transport, f Facts) Way {
	given := f
	f = f.whole()
	placed := f // what the file says
	switch {
	case r.asks:
		placed.Token = "${input:" + inputID + "}"
	case r.variable != "":
		placed.Token = r.variable
	}
	e := r.entry(t, placed)
	w := Way{Transport: t, Files: r.files, Format: "json", Steps: r.steps(t, given, f), Notes: r.notes(t, given, f)}
	if w.Files == nil {
		w.Files = []File{}
	}
	switch {
	case r.toml:
		w.Format, w.Snippet = "toml", tomlTable([]string{r.key, Server}, e)
	case r.asks:
		w.Snippet = text(struct {
			Inputs  []input          `json:"inputs"`
			Servers map[string]entry `json:"servers"`
		}{r.inputs(), map[string]entry{Server: e}})
	default:
		w.Snippet = text(map[string]map[string]entry{r.key: {Server: e}})
	}
	if r.command != nil {
		w.Command = line(r.command(t, f))
	}
	if r.link != "" {
		w.Link = r.linkTo(e)
	}
	return w
}

func (r recipe) entry(t Transport, f Facts) entry {
	var e entry
	switch {
	case t == Stdio:
		e = entry{Command: f.Binary, Args: f.args(), Env: map[string]string{Variable: f.Token}}
	case r.bridged:
		args := []string{"-y", "mcp-remote", f.url(), "--header", "Authorization:${AUTH}"}
		if !f.safe() {
			args = append(args, "--allow-http")
		}
		return entry{Command: "npx", Args: args, Env: map[string]string{"AUTH": "Bearer " + f.Token}}
	case r.noted:
		return entry{URL: f.url(), Noted: Variable}
	default:
		e.Headers = map[string]string{"Authorization": "Bearer " + f.Token}
		switch r.address {
		case "serverUrl":
			e.ServerURL = f.url()
		case "httpUrl":
			e.HTTPURL = f.url()
		default:
			e.URL = f.url()
		}
	}
	if r.typed {
		e.Type = string(t)
	}
	return e
}

func (r recipe) inputs() []input {
	return []input{{"promptString", inputID, "The token of " + Server, true}}
}

// linkTo is an address that opens the client with the entry.
func (r recipe) linkTo(e entry) string {
	if !r.asks {
		b, err := json.Marshal(e, json.Deterministic(true))
		if err != nil {
			return ""
		}
		return r.link + url.QueryEscape(base64.StdEncoding.EncodeToString(b))
	}
	b, err := json.Marshal(struct {
		Name   string  `json:"name"`
		Inputs []input `json:"inputs"`
		entry  `json:",inline"`
	}{Server, r.inputs(), e}, json.Deterministic(true))
	if err != nil {
		return ""
	}
	return r.link + url.PathEscape(string(b))
}

// text is what people read and copy.
func text(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return ""
	}
	return string(b) + "\n"
}

// whole stands for what is not known.
func (f Facts) whole() Facts {
	or := func(s *string, stand string) {
		if *s == "" {
			*s = stand
		}
	}
	or(&f.Address, noAddress)
	or(&f.Binary, noBinary)
	or(&f.Dir, noDir)
	or(&f.Token, noToken)
	f.Address = strings.TrimRight(f.Address, "/")
	return f
}

func (f Facts) url() string    { return f.Address + Path }
func (f Facts) bearer() string { return "Authorization: Bearer " + f.Token }
func (f Facts) args() []string { return []string{"mcp", "--dir", f.Dir} }

// safe says that nobody on the way reads the token: it is encrypted, or does
// not leave the machine.
func (f Facts) safe() bool {
	u, err := url.Parse(f.Address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// steps say what a person does, one after the other. Given is what is known of f.
func (r recipe) steps(t Transport, given, f Facts) []tools.Text {
	say := func(key string, args ...any) tools.Text { return tools.T("connect.step."+key, args...) }
	var steps []tools.Text
	if given.Token == "" {
		steps = append(steps, say("token", line([]string{"nodkeep", "token", "create", "--as", "…", "--name", r.name})))
	}
	if r.link != "" {
		steps = append(steps, say("link", r.name))
	}
	commanded := r.command != nil && r.command(t, f) != nil
	if commanded {
		steps = append(steps, say("command"))
	}
	if by := r.link != "" || commanded; by {
		steps = append(steps, say("hand", r.key))
	} else {
		steps = append(steps, say("file", r.key))
	}
	named := r.variable != "" || r.noted && t == HTTP
	switch {
	case r.asks:
		steps = append(steps, say("asked", r.name))
	case named && commanded && given.Token == "":
		steps = append(steps, say("place_or_variable", noToken, Variable, r.name))
	case named && commanded:
		steps = append(steps, say("variable_by_hand", Variable, r.name))
	case named:
		steps = append(steps, say("variable", Variable, r.name))
	case given.Token == "":
		steps = append(steps, say("place", noToken))
	}
	return append(steps, say("restart", r.name), say("test", Variable))
}

// notes say what may be in the way.
func (r recipe) notes(t Transport, given, f Facts) []tools.Text {
	say := func(key string, args ...any) tools.Text { return tools.T("connect.note."+key, args...) }
	notes := []tools.Text{}
	switch {
	case t == Stdio && given.Binary == "":
		notes = append(notes, say("path", noBinary, noDir))
	case t == Stdio:
		notes = append(notes, say("here"))
	case given.Address == "":
		notes = append(notes, say("address", noAddress))
	case !f.safe():
		notes = append(notes, say("open", f.Address))
	}
	if t == HTTP && r.bridged {
		notes = append(notes, say("node"))
	}
	return notes
}

// line is a command as a shell takes it.
func line(words []string) string {
	said := make([]string, len(words))
	for i, w := range words {
		said[i] = quoted(w)
	}
	return strings.Join(said, " ")
}

// quoted is a word in a shell: in double quotes where that will do, which more
// shells understand.
func quoted(s string) string {
	const safe = "/._-+:,@%=…"
	odd := strings.IndexFunc(s, func(c rune) bool {
		return !strings.ContainsRune(safe, c) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
	switch {
	case s != "" && odd < 0:
		return s
	case !strings.ContainsAny(s, "\"$`\\!"):
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
