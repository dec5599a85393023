package hooks

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// modelSettings are what the environment says of models.
type modelSettings struct {
	Assistants []roster.Fixed
	Currency   string
	IDKey      string
	Cap        *int64 // what all may spend in a day, in millionths; nil: the environment sets none
}

// What assistants are named by.
const (
	listSetting     = "ASSISTANTS"
	namePrefix      = "ASSISTANT_"
	currencySetting = "ASSISTANT_CURRENCY"
	idKeySetting    = "ASSISTANT_ID_KEY"
	capSetting      = "NODKEEP_DAILY_CAP"
)

// variables are the names of the process's own environment.
func variables() (names []string) {
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		names = append(names, name)
	}
	return names
}

// models reads what there is of models.
func (r *reading) models() modelSettings {
	s := modelSettings{Currency: "USD", IDKey: r.get(idKeySetting)}
	if v := strings.ToUpper(r.get(currencySetting)); v != "" {
		if _, ok := tools.CurrencyDigits(v); !ok {
			r.wrong(currencySetting, "is no currency", "Give its code of three letters, such as EUR, or leave it out for USD.")
		} else {
			s.Currency = v
		}
	}
	if s.IDKey != "" && len(s.IDKey) < tools.MinKey {
		r.wrong(idKeySetting, fmt.Sprintf("has %d characters", len(s.IDKey)), fmt.Sprintf("Give at least %d, for example from: openssl rand -hex 32; or leave it out for one that is derived.", tools.MinKey))
	}
	if v := r.get(capSetting); v != "" {
		if n, err := roster.Micros(v); err != nil {
			r.wrong(capSetting, "is no amount", "Give what all may spend in a day, such as 5 or 2.50, in "+s.Currency+", or leave it out for no such cap.")
		} else {
			s.Cap = &n
		}
	}
	s.Assistants = r.assistants()
	return s
}

// assistants reads those that are named, and finds names that are none.
func (r *reading) assistants() (all []roster.Fixed) {
	known := map[string]bool{currencySetting: true, idKeySetting: true}
	var ids []string
	for _, id := range r.parts(listSetting) {
		id = strings.ToLower(id)
		switch {
		case !roster.IsID(id):
			r.wrong(listSetting, "names what no assistant can be called", "Give names of small letters, digits and - , such as ASSISTANTS=claude,local; the name id is taken.")
			continue
		case slices.Contains(ids, id):
			continue
		}
		ids = append(ids, id)
		f := roster.Fixed{ID: id, Fields: map[string]string{}}
		for _, field := range roster.Fields() {
			name := variable(id, field)
			if known[name] {
				r.wrong(name, "is a setting of two assistants", "Give one of them another name in ASSISTANTS.")
			}
			known[name] = true
			if v := r.get(name); v != "" {
				clean, err := roster.Clean(field, v)
				if err != nil {
					r.wrong(name, "cannot be read", howTo(field))
				}
				f.Fields[field] = clean
			}
		}
		r.coherent(f)
		all = append(all, f)
	}
	r.typos(ids, known)
	return all
}

// variable is where the environment says a field of an assistant.
func variable(id, field string) string {
	return namePrefix + strings.ToUpper(strings.ReplaceAll(id, "-", "_")+"_"+field)
}

// coherent says what does not fit together.
func (r *reading) coherent(f roster.Fixed) {
	has := func(field string) bool { _, is := f.Fields[field]; return is }
	if has("key") && !has("base_url") && !has("protocol") {
		r.wrong(variable(f.ID, "key"), "leads nowhere", "Say beside it where the key goes: "+variable(f.ID, "base_url")+", or "+variable(f.ID, "protocol")+" for the address of anthropic or openai.")
	}
	if has("price_input") != has("price_output") || (has("price_cache_read") || has("price_cache_write")) && !has("price_input") {
		r.wrong(variable(f.ID, "price_input"), "needs "+variable(f.ID, "price_output")+" beside it, and the other way round", "Give both, or neither for the prices that are known.")
	}
}

// howTo says what a field can have.
func howTo(field string) string {
	switch field {
	case "name":
		return "Give a name of at most 80 characters."
	case "protocol":
		return "Give anthropic, openai or openai-responses, or leave it out: the address tells."
	case "base_url":
		return "Give an address such as http://127.0.0.1:11434/v1, without a password or a question in it."
	case "model":
		return "Give the model as its host calls it, without blanks."
	case "key":
		return "Give the key in one word, or leave it out where none is needed."
	case "images":
		return "Give yes or no, or leave it out for no."
	case "effort", "max_effort":
		return "Give low, medium, high, xhigh or max, or leave it out."
	case "mode":
		return "Give read, ask, write or trusted, or leave it out for ask."
	}
	return "Give an amount for a million tokens, such as 3 or 0.25."
}

// typos finds variables that were meant for an assistant and reach none. In our
// own file each that begins so was; in the environment other programs have
// theirs, so that it must look like one of ours.
func (r *reading) typos(ids []string, known map[string]bool) {
	var names []string
	for name := range r.file {
		names = append(names, name)
	}
	for _, name := range r.names {
		ends := func(field string) bool { return strings.HasSuffix(name, "_"+strings.ToUpper(field)) }
		begins := func(id string) bool { return strings.HasPrefix(name, variable(id, "")) }
		if slices.ContainsFunc(roster.Fields(), ends) || slices.ContainsFunc(ids, begins) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		rest, ok := strings.CutPrefix(name, namePrefix)
		if !ok || known[name] || r.get(name) == "" {
			continue
		}
		if i := slices.IndexFunc(ids, func(id string) bool { return strings.HasPrefix(name, variable(id, "")) }); i >= 0 {
			r.wrong(name, "is no setting of an assistant", "There is: "+strings.ToUpper(strings.Join(roster.Fields(), ", "))+", each after "+variable(ids[i], "")+".")
			continue
		}
		r.wrong(name, "is for an assistant that ASSISTANTS does not name", "Add it there ("+guessed(rest, ids)+"), or correct the name.")
	}
}

// guessed is the list with the assistant that a variable seems to be for.
func guessed(rest string, ids []string) string {
	id, _, _ := strings.Cut(rest, "_")
	for _, field := range roster.Fields() {
		if before, ok := strings.CutSuffix(rest, "_"+strings.ToUpper(field)); ok {
			id = before
		}
	}
	id = strings.ToLower(strings.ReplaceAll(id, "_", "-"))
	if !roster.IsID(id) {
		id = "local"
	}
	return listSetting + "=" + strings.Join(append(slices.Clone(ids), id), ",")
}
