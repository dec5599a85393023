package tools

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Resource is the answer of a read tool under an address. URI begins with
// nodkeep:// and the plugin's name; a segment of its path may be a variable in
// braces (RFC 6570, level 1): nodkeep://household/subscriptions/{id}. The
// variables are the arguments of Tool. Name begins like those of tools, Title
// is a key of the catalogue.
type Resource struct {
	URI   string
	Name  string
	Title string
	Tool  string
}

// Scheme begins the address of every resource.
const Scheme = "nodkeep://"

// maxURI bounds an address that is looked up, in bytes.
const maxURI = 2000

// route is a resource whose address was taken apart.
type route struct {
	Resource
	parts []part
}

// part is a segment of an address: a variable, or what stands for itself.
type part struct {
	text     string // of a variable, its name
	variable bool
	whole    bool // a variable that is a whole number
}

// Resources lists the plugins' resources, in their order.
func (r *Registry) Resources() []Resource {
	all := make([]Resource, len(r.routes))
	for i, route := range r.routes {
		all[i] = route.Resource
	}
	return all
}

// Resource is the call that answers the resource at an address; false where
// there is none.
func (r *Registry) Resource(uri string) (Invocation, bool) {
	path, ok := strings.CutPrefix(uri, Scheme)
	if !ok || len(uri) > maxURI {
		return Invocation{}, false
	}
	segments := strings.Split(path, "/")
	var best *route
	var args map[string]any
	for i := range r.routes {
		// An address may fit several: one that names it beats a variable.
		if got, ok := r.routes[i].match(segments); ok && (best == nil || len(got) < len(args)) {
			best, args = &r.routes[i], got
		}
	}
	if best == nil {
		return Invocation{}, false
	}
	raw, err := json.Marshal(args, json.Deterministic(true))
	return Invocation{best.Tool, raw}, err == nil
}

// match gives the arguments that an address names.
func (r *route) match(segments []string) (map[string]any, bool) {
	if len(segments) != len(r.parts) {
		return nil, false
	}
	args := map[string]any{}
	for i, p := range r.parts {
		if !p.variable {
			if segments[i] != p.text {
				return nil, false
			}
			continue
		}
		value, err := url.PathUnescape(segments[i])
		if err != nil || value == "" || !utf8.ValidString(value) {
			return nil, false
		}
		args[p.text] = value
		if p.whole {
			if !wholeNumber.MatchString(value) {
				return nil, false
			}
			args[p.text] = jsontext.Value(value)
		}
	}
	return args, true
}

// wholeNumber is one that every client can hold.
var wholeNumber = regexp.MustCompile(`^(0|-?[1-9]\d{0,14})$`)

// Resource reads the resource at an address, as the actor.
func (r *Runner) Resource(ctx context.Context, a Actor, uri string) (any, error) {
	inv, ok := r.reg.Resource(uri)
	if !ok {
		// Who may not act learns nothing of what there is.
		if _, err := r.person(r.app, a); err != nil {
			return nil, r.told(err)
		}
		return nil, r.told(Fail(NotFound, "error.no_resource", Quoted(uri, 200)))
	}
	return r.Read(ctx, a, inv)
}
