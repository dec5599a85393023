package tools

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"
)

// Ref names a record.
type Ref struct {
	Collection string `json:"collection"`
	ID         string `json:"id"`
}

// Scope narrows what a run finds, below what its person may see: what a question
// is about, and nothing else, goes to a model.
type Scope struct {
	Private bool                `json:"private,omitzero"` // what only the person sees is found too
	Only    map[string][]string `json:"only,omitzero"`    // by collection, the ids that are found; nil: all
}

// narrows says that there is something that a run would find without it.
func (s Scope) narrows() bool { return s.Only != nil || !s.Private }

// scopeKey carries the scope of a run.
type scopeKey struct{}

// WithScope narrows what the runs of a context find: reads, previews and what is
// applied. What is shown to people, cards and receipts, is not narrowed, and an
// undo takes back what it was made for.
func WithScope(ctx context.Context, s Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, &s)
}

// scopeOf is the scope of a context; nil where nothing is narrowed.
func scopeOf(ctx context.Context) *Scope {
	s, _ := ctx.Value(scopeKey{}).(*Scope)
	if s == nil || !s.narrows() {
		return nil
	}
	return s
}

// Scoping is how a scope takes the records of a collection: by their ids, and
// with nothing private among them, unless it says otherwise. At most one is set.
// A collection without any is private as a whole where not every member sees all
// of it.
type Scoping struct {
	// Always: they are found in every scope. Tools cannot do without them, and
	// nobody asks about them: settings, exchange rates.
	Always bool
	// Part is the relation field that names what a record is a part of: it is
	// found where that is, and is private where that is. One that names nothing
	// is not found.
	Part string
	// Shared is a filter on fields of the record that holds for what others see
	// too. What it does not hold for is private.
	Shared string
}

// AllPrivate says that a scope takes all of a collection for private: not every
// member sees all of it, and its plugin does not say what others see.
func (r *Registry) AllPrivate(col *core.Collection) bool {
	_, said := r.scopes[col.Name]
	return !said && !ofAccounts(col.Name) && (!forMembers(col.ListRule) || !forMembers(col.ViewRule))
}

// forMembers says that a rule lets every member.
func forMembers(rule *string) bool { return rule != nil && beyondMembers(*rule) == "" }

// addScopes takes in what a plugin says of scopes.
func (r *Registry) addScopes(p Plugin) error {
	s, ok := p.(Scoper)
	if !ok {
		return nil
	}
	for collection, scoping := range s.Scopes() {
		if !strings.HasPrefix(collection, p.Name()+"_") {
			return fmt.Errorf("a scoping of %s, which is not its collection", collection)
		}
		set := 0
		for _, is := range []bool{scoping.Always, scoping.Part != "", scoping.Shared != ""} {
			if is {
				set++
			}
		}
		if set > 1 {
			return fmt.Errorf("the scoping of %s says more than one thing", collection)
		}
		r.scopes[collection] = scoping
	}
	return nil
}

// outerParts are what a Shared filter cannot use: it holds for whoever looks.
var outerParts = regexp.MustCompile(`@(request|collection)\.`)

// checkScopes refuses scopings that cannot be evaluated.
func (r *Registry) checkScopes(app core.App) error {
	for collection, scoping := range r.scopes {
		if part := outerParts.FindString(scoping.Shared); part != "" {
			return fmt.Errorf("the scoping of %s uses %s: it may use fields only", collection, part)
		}
		if err := (Rule{Was: scoping.Shared}).check(app, collection); err != nil {
			return fmt.Errorf("scoping: %w", err)
		}
		chain := []string{collection}
		for at := scoping; at.Part != ""; at = r.scopes[chain[len(chain)-1]] {
			above, err := partOf(app, chain[len(chain)-1], at.Part)
			if err != nil {
				return err
			}
			if owner := r.ownerOf(above); slices.Contains(chain, above) || owner == nil || owner.Name() != r.ownerOf(collection).Name() {
				return fmt.Errorf("the scoping of %s: it is a part of %s, which is itself or another's", collection, above)
			}
			chain = append(chain, above)
		}
	}
	return nil
}

// partOf is the collection that the records of another are parts of.
func partOf(app core.App, collection, field string) (string, error) {
	col, err := app.FindCachedCollectionByNameOrId(collection)
	if err != nil {
		return "", fmt.Errorf("the scoping of %s: there is no such collection", collection)
	}
	rel, ok := col.Fields.GetByName(field).(*core.RelationField)
	if !ok || rel.IsMultiple() {
		return "", fmt.Errorf("the scoping of %s: %s names no one record", collection, field)
	}
	above, err := app.FindCachedCollectionByNameOrId(rel.CollectionId)
	if err != nil {
		return "", err
	}
	return above.Name, nil
}
