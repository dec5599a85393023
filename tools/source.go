package tools

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/pocketbase/dbx"
)

// Source is something that is published at an address and that a tool of the
// plugin takes as text. A plugin fetches nothing: the host does, from those
// sources that the operator has switched on, and calls the tool as an operator.
type Source struct {
	Name  string        // begins like the plugin's tools
	Title string        // a key of the catalogue
	URL   string        // https
	Every time.Duration // how often it is fetched, an hour at least
	Tool  string        // a tool of the plugin whose effect is a plain write
	Arg   string        // its argument that gets what was fetched; no other may be required
}

// minEvery keeps a source from being a burden to who publishes it.
const minEvery = time.Hour

func (r *Registry) addSources(p Plugin) error {
	sourcer, ok := p.(Sourcer)
	if !ok {
		return nil
	}
	for _, s := range sourcer.Sources() {
		if err := r.checkSource(p, s); err != nil {
			return fmt.Errorf("source %q: %w", s.Name, err)
		}
		r.sources = append(r.sources, s)
	}
	return nil
}

func (r *Registry) checkSource(p Plugin, s Source) error {
	if err := checkName(s.Name, p.Name()+"_"); err != nil {
		return err
	}
	if slices.ContainsFunc(r.sources, func(o Source) bool { return o.Name == s.Name }) {
		return fmt.Errorf("it is there twice")
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return fmt.Errorf("its address must begin with https:// and name no user")
	}
	t := r.tools[s.Tool]
	switch {
	case s.Title == "":
		return fmt.Errorf("it needs a title")
	case s.Every < minEvery:
		return fmt.Errorf("it is fetched every %s; once in %s is the most", s.Every, minEvery)
	case t == nil || t.Effect != EffectWrite || r.owner[s.Tool].Name() != p.Name():
		return fmt.Errorf("it is taken by %q, which is no tool of it that plainly writes", s.Tool)
	case t.Input.Properties[s.Arg] == nil || t.Input.Properties[s.Arg].Type != "string":
		return fmt.Errorf("%s takes no text %s", s.Tool, s.Arg)
	}
	for _, name := range t.Input.Required {
		if name != s.Arg {
			return fmt.Errorf("%s needs %s, which nothing gives", s.Tool, name)
		}
	}
	return nil
}

// Sources lists what the plugins would have fetched.
func (r *Registry) Sources() []Source { return slices.Clone(r.sources) }

// Taken is when a tool last changed something by what a source had; the zero
// time if it never did. The call must have named the source as its agent.
func (r *Runner) Taken(ctx context.Context, s Source) (time.Time, error) {
	var at string
	err := r.app.ConcurrentDB().Select("coalesce(max([[at]]), '')").From(auditTable).WithContext(ctx).
		Where(dbx.HashExp{"tool": s.Tool, "agent_name": s.Name, "state": stateApplied}).Row(&at)
	if err != nil || at == "" {
		return time.Time{}, err
	}
	return ParseStamp(at), nil
}
