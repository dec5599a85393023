package roster

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// Collection holds what operators set.
const Collection = "nodkeep_assistants"

// Fixed is what the environment says of an assistant: fields as Clean gives
// them.
type Fixed struct {
	ID     string
	Fields map[string]string
}

// Assistant is a model that people can ask.
type Assistant struct {
	ID, Name  string
	Protocol  gateway.Protocol
	BaseURL   string
	Host      string // with its port, if it names one
	Model     string
	Key       string         // never to be shown
	Images    bool           // pictures may be sent
	Prices    *budget.Prices // the operator's; nil: those of the table
	Effort    gateway.Effort // unless a request says; "" leaves it to the host
	MaxEffort gateway.Effort // "" is no ceiling
	Mode      gate.Mode
	Local     bool     // on this machine
	Fixed     bool     // the environment names it
	Locked    []string // fields that the environment says
	Lacks     []string // fields that are missing or cannot be read: until then nobody can ask it
}

// Ready says that it can be asked.
func (a Assistant) Ready() bool { return len(a.Lacks) == 0 }

// Locks says that operators cannot set a field: the environment does.
func (a Assistant) Locks(field string) bool { return slices.Contains(a.Locked, field) }

// Within is how much it is to think: what is wished, else its own default, and
// never more than its ceiling.
func (a Assistant) Within(wish gateway.Effort) gateway.Effort {
	wish = cmp.Or(wish, a.Effort)
	all := gateway.Efforts()
	if most := slices.Index(all, a.MaxEffort); most >= 0 && slices.Index(all, wish) > most {
		return a.MaxEffort
	}
	return wish
}

// Budgeted is what budgets know of it.
func (a Assistant) Budgeted() budget.Assistant {
	return budget.Assistant{ID: a.ID, Host: a.Host, Protocol: a.Protocol, Model: a.Model, Prices: a.Prices}
}

// All are the assistants there are, those on this machine first, then scripts,
// then in the order of the environment, then by id.
func (r *Roster) All(ctx context.Context) ([]Assistant, error) {
	set, err := r.set(ctx)
	if err != nil {
		return nil, err
	}
	var all []Assistant
	for _, s := range r.c.Scripts {
		all = append(all, s.assistant())
		delete(set, s.ID)
	}
	for _, f := range r.c.Fixed {
		all = append(all, made(f.ID, f.Fields, set[f.ID], true))
		delete(set, f.ID)
	}
	for _, id := range slices.Sorted(keysOf(set)) {
		all = append(all, made(id, nil, set[id], false))
	}
	slices.SortStableFunc(all, func(a, b Assistant) int { return cmp.Compare(a.rank(), b.rank()) })
	return all, nil
}

// rank is where an assistant stands among others: the lower, the sooner.
func (a Assistant) rank() int {
	switch {
	case a.Scripted():
		return 1
	case a.Local:
		return 0
	}
	return 2
}

func keysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Get is one of them, or an error of kind not_found.
func (r *Roster) Get(ctx context.Context, id string) (Assistant, error) {
	all, err := r.All(ctx)
	if err != nil {
		return Assistant{}, err
	}
	for _, a := range all {
		if a.ID == id {
			return a, nil
		}
	}
	return Assistant{}, tools.Fail(tools.NotFound, "roster.nobody", tools.Quoted(id, 60))
}

// Would is an assistant as it is used where operators say just this of it.
func (r *Roster) Would(id string, said map[string]string) Assistant {
	if s, ok := r.script(id); ok {
		return s.assistant()
	}
	for _, f := range r.c.Fixed {
		if f.ID == id {
			return made(id, f.Fields, said, true)
		}
	}
	return made(id, nil, said, false)
}

// set is what operators have set, by id and field. A key that does not open is
// none: fields without a value are left out.
func (r *Roster) set(ctx context.Context) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	if r.c.App == nil {
		return all, nil
	}
	var recs []*core.Record
	if err := r.c.App.RecordQuery(Collection).WithContext(ctx).All(&recs); err != nil {
		return nil, fmt.Errorf("read the assistants: %w", err)
	}
	for _, rec := range recs {
		fields := map[string]string{}
		fixed := r.fixed(rec.GetString("assistant"))
		locked := Locked(fixed)
		for _, f := range Fields() {
			v := rec.GetString(f)
			if slices.Contains(locked, f) {
				continue
			}
			if f == fieldKey && v != "" {
				key, err := r.c.Keys.Open(Owner(rec.Id, cmp.Or(fixed[fieldProtocol], rec.GetString(fieldProtocol)), rec.GetString(fieldBaseURL)), v)
				if err != nil {
					r.c.Log.Error("the key of an assistant does not open; set it again", "assistant", rec.GetString("assistant"))
				}
				v = string(key)
			}
			if v != "" {
				fields[f] = v
			}
		}
		all[rec.GetString("assistant")] = fields
	}
	return all, nil
}

// fixed is what the environment says of an assistant.
func (r *Roster) fixed(id string) map[string]string {
	for _, f := range r.c.Fixed {
		if f.ID == id {
			return f.Fields
		}
	}
	return nil
}

// Owner is to what the key of an assistant that operators set is sealed: its
// record, and where it leads, so that it goes nowhere else whoever writes there.
func Owner(record, protocol, address string) tools.Owner {
	return tools.Owner{Collection: Collection, Record: record, Field: fieldKey + " for " + leads(protocol, address)}
}

// leads is where an assistant is asked: without an address its protocol tells.
func leads(protocol, address string) string { return cmp.Or(address, "by "+protocol) }

// DropKey takes the key out of a record whose address is another than it was,
// unless the key is another, too: whoever writes it, a dashboard or an undo, a key
// goes nowhere but where it was given for.
func DropKey(rec *core.Record) {
	was := rec.Original()
	to := func(r *core.Record) string { return leads(r.GetString(fieldProtocol), r.GetString(fieldBaseURL)) }
	if to(rec) != to(was) && rec.GetString(fieldKey) == was.GetString(fieldKey) {
		rec.Set(fieldKey, "")
	}
}

// Locked are the fields that operators cannot set of an assistant of which the
// environment says these. A key goes only where whoever gave it says: with
// either of key and address both are the environment's, and with a key alone
// the protocol too, since that leads somewhere.
func Locked(fixed map[string]string) (locked []string) {
	_, key := fixed[fieldKey]
	_, address := fixed[fieldBaseURL]
	for _, f := range Fields() {
		_, says := fixed[f]
		switch f {
		case fieldKey, fieldBaseURL:
			says = key || address
		case fieldProtocol:
			says = says || key
		}
		if says {
			locked = append(locked, f)
		}
	}
	return locked
}

// made puts together what the environment and operators say.
func made(id string, fixed, set map[string]string, named bool) Assistant {
	a := Assistant{ID: id, Fixed: named, Locked: Locked(fixed)}
	lacks := func(field string) {
		if !slices.Contains(a.Lacks, field) {
			a.Lacks = append(a.Lacks, field)
		}
	}
	get := func(field string) string {
		if a.Locks(field) {
			return fixed[field]
		}
		v := set[field]
		if v == "" {
			return ""
		}
		clean, err := Clean(field, v)
		if err != nil {
			lacks(field) // somebody wrote it past the tool that checks it
			return ""
		}
		return clean
	}
	a.Name = cmp.Or(get(fieldName), id)
	a.Protocol, a.BaseURL = gateway.Protocol(get(fieldProtocol)), get(fieldBaseURL)
	switch {
	case a.BaseURL == "" && a.Protocol == "":
		lacks(fieldBaseURL)
	case a.BaseURL == "":
		a.BaseURL = addressOf(a.Protocol)
	case a.Protocol == "":
		a.Protocol = protocolOf(a.BaseURL)
	}
	if u, err := url.Parse(a.BaseURL); err == nil {
		a.Host = strings.ToLower(u.Host)
	}
	a.Local = here(a.BaseURL)
	if a.Model = get(fieldModel); a.Model == "" {
		lacks(fieldModel)
	}
	a.Key = get(fieldKey)
	a.Images = get(fieldImages) == "yes"
	a.Effort, a.MaxEffort = gateway.Effort(get(fieldEffort)), gateway.Effort(get(fieldMaxEffort))
	a.Mode = gate.Mode(cmp.Or(get(fieldMode), string(gate.ModeAsk)))
	a.Prices = prices(get, lacks)
	return a
}
