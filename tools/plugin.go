package tools

import (
	"embed"
	"io/fs"

	"github.com/pocketbase/pocketbase/core"
)

// Core is the name of the plugin that the engine cannot be without: its tools
// act on accounts, which are no plugin's collection.
const Core = "nodkeep"

// Plugin brings the tools of one domain. Its name is its folder and the prefix
// of its tools, collections and texts.
type Plugin interface {
	Name() string
	Tools() []Tool
}

// The rest is optional and found by type assertion.

// Migrator brings collections. The file names of its migrations begin with a
// time and the plugin's name, since PocketBase keeps them in one list.
type Migrator interface{ Migrations() core.MigrationsList }

// Ruler declares who may change the records of the plugin's collections. A
// collection without a rule is nobody's.
type Ruler interface{ ChangeRules() map[string]Rule }

// Hooker binds rules that hold for every writer, the dashboard included.
type Hooker interface{ Hooks(core.App) error }

// Policer looks at the changes of a preview and says whether money is in them.
// It is given every change, also those that the person may not see.
type Policer interface {
	Money(*Reader, []Change) bool
}

// Guard tightens what agents may do with a tool of the plugin, whatever their
// mode: Ask wants a nod for each call, Refuse forbids it, Run says nothing.
type Guard interface{ Guard(tool string) Decision }

// Importer takes rows that a reader found in a file.
type Importer interface{ Imports() []Import }

// Exporter says how all of the plugin that a person may see leaves, and comes
// back elsewhere.
type Exporter interface{ Export() Export }

// Translator brings en.json, de.json and es.json with the plugin's texts.
type Translator interface{ Locales() fs.FS }

// Webber brings pages of its own for the web front end, served under
// ext/<name>/: main.js says which there are. See docs/build/plugin.md.
type Webber interface{ Web() fs.FS }

// LocalesIn is the folder locales of files that are embedded.
func LocalesIn(files embed.FS) fs.FS {
	sub, err := fs.Sub(files, "locales")
	if err != nil {
		panic(err) // the name is a constant that fs.Sub accepts
	}
	return sub
}

// Presenter says how the plugin's values look to people. What it leaves open
// the engine shows as it is stored.
type Presenter interface {
	// Label names a record ("Netflix") by a string, Money, Date or Text; nil
	// leaves it to the engine.
	Label(collection string, values map[string]any) any
	// Show is a field's value as a string, Money, Date or Text; nil leaves it
	// to the engine.
	Show(collection, field string, values map[string]any) any
}

// Volatiler names, by collection, fields that change by themselves and so are
// left out of what a nod is bound to.
type Volatiler interface{ Volatile() map[string][]string }

// Scoper says how the scope of a question takes the plugin's collections: what
// of them is private, and what is a part of what.
type Scoper interface{ Scopes() map[string]Scoping }

// Briefer says what a model should know of the present state, as the person
// who asks sees it: a few sentences, none that costs a long look-up.
type Briefer interface{ Brief(*Reader) ([]Text, error) }

// Finder brings words by which people ask for a tool and that neither its title
// nor its help has: by tool, a key of the catalogue. Nobody reads them.
type Finder interface{ Asked() map[string]string }

// Prompter brings prompts: what a person can pick to start with.
type Prompter interface{ Prompts() []Prompt }

// Resourcer brings resources: answers of read tools that have an address.
type Resourcer interface{ Resources() []Resource }

// Sourcer names what is worth fetching from outside. Nothing is, unless the
// operator switches it on.
type Sourcer interface{ Sources() []Source }

// Import says what becomes of the recurring payments that a reader found: a
// read tool that takes them and gives them back matched with what is stored,
// and the tool that takes the reviewed list. Both take ImportRows.
type Import struct {
	Name  string
	Title string // a key of the catalogue
	Match string // the read tool
	Apply string // the tool that writes
	Home  string // a read tool without arguments that answers currency and today: what a file leaves unsaid; may be ""
}

// Sampler brings what a demonstration shows: calls that members make, in
// order. By is a handle; the member is made when there is none.
type Sampler interface{ Sample(today Date) []Sample }

// Sample is one call of a Sampler.
type Sample struct {
	By string
	Invocation
}

// ImportRows are rows of one file, named so that the audit can tell which.
type ImportRows struct {
	File          string      `json:"file"`
	Fingerprint   string      `json:"fingerprint"`
	Subscriptions []Recurring `json:"subscriptions" jsonschema:"the reviewed rows; leave out what is not wanted"`
}

// Rule is the change rule of a collection, in PocketBase's filter language.
// Was must hold before an update and a delete, Becomes after a create and an
// update. "" lets every member. They may use fields, @request.auth.*,
// @collection.* and date macros.
type Rule struct{ Was, Becomes string }
