package hooks

import (
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// kept is a collection that the code relies on: its name and its fields.
type kept struct {
	name   string
	fields []keptField
}

// keptField is a field with what must stay of it. One of the same name with
// another id is a new one: PocketBase drops what the old one held.
type keptField struct {
	name, id string
	hidden   bool     // then who may change a record cannot change this of it, nor read it
	values   []string // of a select
}

func keptOf(f core.Field) keptField {
	k := keptField{name: f.GetName(), id: f.GetId(), hidden: f.GetHidden()}
	if s, ok := f.(*core.SelectField); ok {
		k.values = slices.Clone(s.Values)
	}
	return k
}

// lost says what a collection has lost of a field, by the key of the sentence.
func (k keptField) lost(col *core.Collection) (key string) {
	f := col.Fields.GetByName(k.name)
	switch {
	case f == nil:
		return "schema.field"
	case f.GetId() != k.id:
		return "schema.replaced"
	case k.hidden && !f.GetHidden():
		return "schema.hidden"
	}
	is := keptOf(f).values
	if slices.ContainsFunc(k.values, func(v string) bool { return !slices.Contains(is, v) }) {
		return "schema.values"
	}
	return ""
}

// keepSchema notes the collections of the core and the plugins, as their
// migrations left them.
func (a *App) keepSchema() error {
	cols, err := a.pb.FindAllCollections()
	if err != nil {
		return err
	}
	a.schema = map[string]kept{}
	for _, col := range cols {
		if !a.ours(col.Name) {
			continue
		}
		k := kept{name: col.Name}
		for _, f := range col.Fields {
			// Of the accounts, the core stands on the fields that it brought.
			if col.Name != users || strings.HasPrefix(f.GetId(), "nodkeep_") {
				k.fields = append(k.fields, keptOf(f))
			}
		}
		a.schema[col.Id] = k
	}
	return nil
}

// ours says that a collection belongs to the core or to a plugin.
func (a *App) ours(name string) bool {
	return name == users || slices.ContainsFunc(a.registry.Plugins(), func(p tools.Plugin) bool {
		return strings.HasPrefix(name, p.Name()+"_")
	})
}

// bindSchema keeps the dashboard from taking away what the code stands on: the
// next start would fail, and what is deleted so is in no audit. Nor may it show
// what is hidden: with a rule by which members change their accounts, one would
// make an operator of oneself. New fields and other rules are the operator's own
// affair; doctor names the rules that open an account.
func (a *App) bindSchema() {
	refuse := func(key string, args ...any) error {
		return apis.NewBadRequestError(a.catalogue.English(tools.T(key, args...)), nil)
	}
	a.pb.OnCollectionUpdate().BindFunc(func(e *core.CollectionEvent) error {
		was, ok := a.schema[e.Collection.Id]
		if ok && e.Collection.Name != was.name {
			return refuse("schema.renamed", was.name)
		}
		for _, f := range was.fields {
			if key := f.lost(e.Collection); key != "" {
				return refuse(key, f.name, was.name)
			}
		}
		return e.Next()
	})
	deleted := func(id string) error {
		if was, ok := a.schema[id]; ok {
			return refuse("schema.deleted", was.name)
		}
		return nil
	}
	a.pb.OnCollectionDelete().BindFunc(func(e *core.CollectionEvent) error {
		if err := deleted(e.Collection.Id); err != nil {
			return err
		}
		return e.Next()
	})
	// PocketBase answers a deletion that failed without its reason.
	a.pb.OnCollectionDeleteRequest().BindFunc(func(e *core.CollectionRequestEvent) error {
		if err := deleted(e.Collection.Id); err != nil {
			return err
		}
		return e.Next()
	})
}
