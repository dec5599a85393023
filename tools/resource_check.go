package tools

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// segment is a part of an address that stands for itself.
var segment = regexp.MustCompile(`^[a-zA-Z0-9._~-]+$`)

func (r *Registry) addResources(p Plugin) error {
	rs, ok := p.(Resourcer)
	if !ok {
		return nil
	}
	for _, res := range rs.Resources() {
		parts, err := r.checkResource(p, res)
		if err != nil {
			return fmt.Errorf("resource %q: %w", res.Name, err)
		}
		for _, o := range r.routes {
			if o.Name == res.Name || shape(o.parts) == shape(parts) {
				return fmt.Errorf("resource %q is there twice", res.Name)
			}
		}
		r.routes = append(r.routes, route{res, parts})
	}
	return nil
}

// shape is an address without the names of its variables.
func shape(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.variable {
			p.text = "{}"
		}
		b.WriteString("/" + p.text)
	}
	return b.String()
}

// checkResource takes the address apart and holds its variables against what
// the tool takes.
func (r *Registry) checkResource(p Plugin, res Resource) ([]part, error) {
	if err := checkName(res.Name, p.Name()+"_"); err != nil {
		return nil, err
	}
	if res.Title == "" {
		return nil, fmt.Errorf("it needs a title")
	}
	t := r.tools[res.Tool]
	if t == nil || t.read == nil || r.owner[res.Tool].Name() != p.Name() {
		return nil, fmt.Errorf("it is answered by %q, which is no read tool of it", res.Tool)
	}
	path, ok := strings.CutPrefix(res.URI, Scheme+p.Name()+"/")
	if !ok {
		return nil, fmt.Errorf("its address must begin with %s%s/", Scheme, p.Name())
	}
	parts := []part{{text: p.Name()}}
	for _, s := range strings.Split(path, "/") {
		next, err := t.part(s)
		if err != nil {
			return nil, err
		}
		if next.variable && slices.Contains(parts, next) {
			return nil, fmt.Errorf("its address has {%s} twice", next.text)
		}
		parts = append(parts, next)
	}
	for _, name := range t.Input.Required {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.variable && p.text == name }) {
			return nil, fmt.Errorf("%s needs %s, which its address lacks", t.Name, name)
		}
	}
	return parts, nil
}

// part reads a segment of an address whose variables are arguments of the tool.
func (t *Tool) part(s string) (part, error) {
	name, opened := strings.CutPrefix(s, "{")
	name, closed := strings.CutSuffix(name, "}")
	if !opened && !closed && segment.MatchString(s) {
		return part{text: s}, nil
	}
	if !opened || !closed || !argName.MatchString(name) {
		return part{}, fmt.Errorf("%q in its address is neither a word nor a variable in braces", s)
	}
	arg := t.Input.Properties[name]
	if arg == nil || (arg.Type != "string" && arg.Type != "integer") {
		return part{}, fmt.Errorf("%s takes no text or whole number %s", t.Name, name)
	}
	return part{text: name, variable: true, whole: arg.Type == "integer"}, nil
}
