// Package client knows the programs in which agents run, and what each must be
// told to speak to an instance: which file, what to put there, in which steps.
package client

import (
	"slices"
	"strings"
	"unicode"

	"github.com/nodkeep/nodkeep/tools"
)

// Server is how an instance is called in the files of clients. It is short:
// some count it to the name of each tool.
const Server = "nodkeep"

// Variable is where the token stands that a process is given.
const Variable = "NODKEEP_TOKEN"

// Path is below the instance's address.
const Path = "/mcp"

// What stands for what is not known, or not to be shown.
const (
	noToken   = "PASTE_TOKEN_HERE"
	noAddress = "http://127.0.0.1:8090"
	noBinary  = "/path/to/nodkeep"
	noDir     = "/path/to/pb_data"
)

// Facts are what the configurations are made from. What is empty is stood for.
type Facts struct {
	Address string // of the instance, as clients reach it
	Binary  string // the program on the machine of the data
	Dir     string // the data folder
	Token   string // only where somebody asks for it to be printed; else words stand for it
}

// Transport is how a client speaks to an instance.
type Transport string

// The transports.
const (
	HTTP  Transport = "http"  // to its address
	Stdio Transport = "stdio" // to a process that the client starts, on the machine of the data
)

// Client is a program in which agents run.
type Client struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Ways []Way  `json:"ways"`
}

// Way is one by which a client is connected.
type Way struct {
	Transport Transport    `json:"transport"`
	Files     []File       `json:"files"`            // one of them, by the system
	Format    string       `json:"format"`           // of the snippet: json or toml
	Snippet   string       `json:"snippet"`          // the whole of such a file that has nothing else
	Command   string       `json:"command,omitzero"` // does it too
	Link      string       `json:"link,omitzero"`    // so does that
	Steps     []tools.Text `json:"steps"`
	Notes     []tools.Text `json:"notes"`
}

// File is where a client keeps its servers.
type File struct {
	System string `json:"system,omitzero"` // "" is each
	Path   string `json:"path"`
}

// All are the clients, with how each is connected to the instance of f.
func All(f Facts) []Client {
	all := recipes()
	clients := make([]Client, len(all))
	for i, r := range all {
		clients[i] = Client{ID: r.id, Name: r.name, Ways: []Way{r.way(HTTP, f), r.way(Stdio, f)}}
	}
	return clients
}

// Named finds the clients that somebody may mean by a name: one, if it is clear. The
// beginning of any of its words will do.
func Named(name string) (ids []string) {
	for _, r := range recipes() {
		switch want := plain(name); {
		case want == plain(r.id), want == plain(r.name):
			return []string{r.id}
		case want != "" && begins(r.id, want):
			ids = append(ids, r.id)
		}
	}
	return ids
}

// begins says that an id begins so, or what follows one of its hyphens.
func begins(id, want string) bool {
	for at := 0; ; {
		if strings.HasPrefix(plain(id[at:]), want) {
			return true
		}
		next := strings.IndexByte(id[at:], '-')
		if next < 0 {
			return false
		}
		at += next + 1
	}
}

// IDs are those of all clients.
func IDs() (ids []string) {
	for _, r := range recipes() {
		ids = append(ids, r.id)
	}
	return ids
}

// Only are the clients with one of these ids.
func Only(clients []Client, ids []string) []Client {
	return slices.DeleteFunc(slices.Clone(clients), func(c Client) bool { return !slices.Contains(ids, c.ID) })
}

// plain is a name as far as people agree on it.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
