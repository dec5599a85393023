package tools

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Prompt is something to ask a model that a person can pick. Name begins like
// those of the plugin's tools; Title and Text are keys of the catalogue. Text
// is what is asked: its places {0}, {1}, … are filled by Args, in order.
type Prompt struct {
	Name  string
	Title string
	Text  string
	Args  []PromptArg
}

// PromptArg is a word that a Prompt is asked with. Title is a key of the
// catalogue. What is not Required and not given is the empty text.
type PromptArg struct {
	Name     string
	Title    string
	Required bool
}

// maxPromptArg bounds each argument of a prompt, in characters.
const maxPromptArg = 2000

// argName is how arguments of prompts and variables of resources are named.
var argName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// Prompts lists the plugins' prompts, in their order.
func (r *Registry) Prompts() []Prompt {
	all := slices.Clone(r.prompts)
	for i := range all {
		all[i].Args = slices.Clone(all[i].Args)
	}
	return all
}

func (r *Registry) addPrompts(p Plugin) error {
	pr, ok := p.(Prompter)
	if !ok {
		return nil
	}
	for _, prompt := range pr.Prompts() {
		if err := prompt.check(p.Name() + "_"); err != nil {
			return fmt.Errorf("prompt %q: %w", prompt.Name, err)
		}
		if slices.ContainsFunc(r.prompts, func(o Prompt) bool { return o.Name == prompt.Name }) {
			return fmt.Errorf("prompt %q is there twice", prompt.Name)
		}
		prompt.Args = slices.Clone(prompt.Args)
		r.prompts = append(r.prompts, prompt)
	}
	return nil
}

func (p Prompt) check(prefix string) error {
	if err := checkName(p.Name, prefix); err != nil {
		return err
	}
	if p.Title == "" || p.Text == "" {
		return fmt.Errorf("it needs a title and a text")
	}
	for i, a := range p.Args {
		switch {
		case !argName.MatchString(a.Name):
			return fmt.Errorf("the name of its argument %q must be lower case, at most 40 characters", a.Name)
		case a.Title == "":
			return fmt.Errorf("its argument %s needs a title", a.Name)
		case slices.ContainsFunc(p.Args[:i], func(o PromptArg) bool { return o.Name == a.Name }):
			return fmt.Errorf("its argument %s is there twice", a.Name)
		}
	}
	return nil
}

// Prompt is what a prompt asks with these arguments.
func (r *Runner) Prompt(_ context.Context, a Actor, name string, args map[string]string) (Text, error) {
	if _, err := r.person(r.app, a); err != nil {
		return Text{}, r.told(err)
	}
	for _, p := range r.reg.prompts {
		if p.Name == name {
			text, err := p.fill(args)
			if err != nil {
				return Text{}, r.told(err)
			}
			return text, nil
		}
	}
	return Text{}, r.told(Fail(NotFound, "error.no_prompt", Quoted(name, 80)))
}

func (p Prompt) fill(args map[string]string) (Text, error) {
	names := make([]string, len(p.Args))
	text := Text{Key: p.Text}
	for i, a := range p.Args {
		names[i] = a.Name
		word := strings.ToValidUTF8(args[a.Name], "\uFFFD")
		if a.Required && strings.TrimSpace(word) == "" {
			return Text{}, Fail(Invalid, "error.arguments", T("argument.missing", fieldName(a.Name), T("type.string")))
		}
		if n := utf8.RuneCountInString(word); n > maxPromptArg {
			return Text{}, Fail(Invalid, "error.arguments", T("argument.long", fieldName(a.Name), n, maxPromptArg))
		}
		text.Args = append(text.Args, word)
	}
	for _, given := range slices.Sorted(maps.Keys(args)) {
		if !slices.Contains(names, given) {
			return Text{}, Fail(Invalid, "error.arguments", T("argument.unknown", fieldName(Quoted(given, 60)), strings.Join(names, ", ")))
		}
	}
	return text, nil
}
