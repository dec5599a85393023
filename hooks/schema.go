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
	fields []string
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
				k.fields = append(k.fields, f.GetName())
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
// next start would fail, and what is deleted so is in no audit. New fields and
// other rules are the operator's own affair.
func (a *App) bindSchema() {
	refuse := func(key string, args ...any) error {
		return apis.NewBadRequestError(a.catalogue.English(tools.T(key, args...)), nil)
	}
	a.pb.OnCollectionUpdate().BindFunc(func(e *core.CollectionEvent) error {
		was, ok := a.schema[e.Collection.Id]
		if ok && e.Collection.Name != was.name {
			return refuse("schema.renamed", was.name)
		}
		for _, name := range was.fields {
			if e.Collection.Fields.GetByName(name) == nil {
				return refuse("schema.field", name, was.name)
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
