package tools

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pocketbase/pocketbase/core"
)

// Secret is an argument that nobody may read later, such as a password: the
// audit keeps that it was given, never what it was.
type Secret string

// Personal tells who somebody is: a handle, an address. What others did and
// were refused outlasts an account, so the audit keeps none in arguments and
// reasons. The id of an account that exists may stand there: it says nothing
// once the account is gone.
type Personal string

// Account is the id of an account in what a tool answers: pages show people its
// handle instead.
type Account string

// accountFormat marks an Account in a schema.
const accountFormat = "account"

// withheld stands for a secret, or for who somebody is, in the audit.
const withheld = "•••"

// personalFormat marks a Personal in a schema.
const personalFormat = "personal"

func sensitive(s *jsonschema.Schema) bool { return s.WriteOnly || s.Format == personalFormat }

// personals says that an argument is a list of those.
func personals(s *jsonschema.Schema) bool { return s.Items != nil && s.Items.Format == personalFormat }

// conceal gives the arguments as they may be kept; known says that an account
// has this id. Those of a tool that takes what is withheld, but that are no
// object, are dropped whole: a secret may be in them.
func (t *Tool) conceal(args jsontext.Value, known func(id string) bool) jsontext.Value {
	var fields map[string]any
	for name, p := range t.Input.Properties {
		if !sensitive(p) && !personals(p) {
			continue
		}
		if fields == nil {
			if err := json.Unmarshal(args, &fields); err != nil || fields == nil {
				return nil
			}
		}
		v, given := fields[name]
		may := func(v any) bool {
			id, is := v.(string)
			return !p.WriteOnly && is && known(id)
		}
		all, list := v.([]any)
		switch {
		case !given || may(v):
		case list && personals(p):
			for i, v := range all {
				if !may(v) {
					all[i] = withheld
				}
			}
		default:
			fields[name] = withheld
		}
	}
	return rewritten(fields, args)
}

// concealUnknown withholds also what the tool does not take: who mistakes the
// name of an argument, or of a tool, has given it a secret all the same.
func (t *Tool) concealUnknown(args jsontext.Value, known func(id string) bool) jsontext.Value {
	if args = t.conceal(args, known); len(args) == 0 {
		return nil
	}
	var fields map[string]any
	if err := json.Unmarshal(args, &fields); err != nil || fields == nil {
		if strings.HasPrefix(t.Name, Core+"_") {
			return nil
		}
		return args // broken, for whoever looks for the reason
	}
	found := false
	for name := range fields {
		if t.Input.Properties[name] == nil {
			fields[name], found = withheld, true
		}
	}
	if !found {
		return args
	}
	return rewritten(fields, args)
}

// rewritten is args with other fields; nil stands for the same.
func rewritten(fields map[string]any, args jsontext.Value) jsontext.Value {
	if fields == nil {
		return args
	}
	b, err := json.Marshal(fields, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return b
}

// checkSensitive refuses a tool that takes something to withhold where conceal
// would not find it.
func (t *Tool) checkSensitive() error {
	var deep func(at string, s *jsonschema.Schema) error
	deep = func(at string, s *jsonschema.Schema) error {
		if s == nil {
			return nil
		}
		if sensitive(s) && strings.Contains(at, ".") {
			return fmt.Errorf("%s is withheld from the audit, and so must be an argument of its own", strings.TrimPrefix(at, "."))
		}
		for name, p := range s.Properties {
			if err := deep(strings.TrimPrefix(at+"."+name, "."), p); err != nil {
				return err
			}
		}
		if err := deep(at+".[]", s.Items); err != nil && (!personals(s) || strings.Contains(at, ".")) {
			return err
		}
		return deep(at+".*", s.AdditionalProperties)
	}
	return deep("", t.Input)
}

// isAccount says that an account has this id.
func isAccount(app core.App) func(id string) bool {
	return func(id string) bool {
		_, err := app.FindRecordById(Members, id)
		return err == nil
	}
}

// nameless is a text without who it speaks of, and whether it spoke of anybody.
func nameless(t Text) (Text, bool) {
	out, found := Text{Key: t.Key}, false
	for _, arg := range t.Args {
		named := false
		switch v := arg.(type) {
		case Personal:
			arg, named = withheld, true
		case Text:
			arg, named = nameless(v)
		case Words:
			arg, named = nameless(Text(v))
		case []Text:
			all := make([]Text, len(v))
			for i, part := range v {
				is := false
				all[i], is = nameless(part)
				named = named || is
			}
			arg = all
		}
		out.Args, found = append(out.Args, arg), found || named
	}
	return out, found
}

// reason is why something was refused, as the audit keeps it.
func (r *Runner) reason(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		if text, named := nameless(e.Text); named {
			return r.c.English(text)
		}
	}
	return err.Error()
}
