package accounts

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Assistants are the models that operators have set up, or of whose settings
// they say some. A field that is empty is not said by them.
const Assistants = "nodkeep_assistants"

// hiddenAssistant is why no model is offered what these tools do.
const hiddenAssistant = "Which model may be asked, by whom and for how much is for people to decide, never for a model."

// assistantFields are those that an operator may say, besides the key.
func assistantFields() []string {
	return []string{
		"name", "protocol", "base_url", "model", "images", "effort", "max_effort", "mode",
		"price_input", "price_output", "price_cache_read", "price_cache_write",
	}
}

// Known is an assistant as it is used, whoever says what of it.
type Known struct {
	ID, Host string
	Local    bool              // its host is this machine
	Script   bool              // it is no model, and nothing leaves
	Names    bool              // its host is told an opaque id of who asks
	Fields   map[string]string // as an operator would say them, defaults too
	Key      bool
	Lacks    []string // fields without which nobody can ask it
	Prices   *Priced
}

// Assistant is one as operators see it.
type Assistant struct {
	ID              string            `json:"id"`
	Name            string            `json:"name"`
	Protocol        string            `json:"protocol"`
	BaseURL         string            `json:"base_url"`
	Host            string            `json:"host"`
	Local           bool              `json:"local"`
	Model           string            `json:"model"`
	Images          string            `json:"images"` // yes or no
	Effort          string            `json:"effort"`
	MaxEffort       string            `json:"max_effort"`
	Mode            string            `json:"mode"`
	PriceInput      string            `json:"price_input"` // a million tokens; empty: as the table says
	PriceOutput     string            `json:"price_output"`
	PriceCacheRead  string            `json:"price_cache_read"`
	PriceCacheWrite string            `json:"price_cache_write"`
	Key             bool              `json:"key"`              // there is one; it is never shown
	From            map[string]string `json:"from"`             // by field: environment or operator; the others are as they are by default
	Locked          []string          `json:"locked"`           // fields that only the environment changes
	Lacks           []string          `json:"lacks"`            // fields without which nobody can ask it
	Prices          *Priced           `json:"prices,omitempty"` // that count, in a list
	Updated         time.Time         `json:"updated,omitzero"` // when an operator last said something
}

// AssistantPage is one page of assistants.
type AssistantPage struct {
	Items []Assistant `json:"items"`
	Next  string      `json:"next"`
}

type assistantListIn struct {
	pageIn
}

func (p Plugin) assistantListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_assistant_list", Title: "nodkeep.title.assistant_list", Operator: true, Hidden: hiddenAssistant,
		Help: "Lists the assistants by id, with what is said of each, by whom, what only the environment changes, and what they cost by whose word. That there is a key is said, never which.",
	}, p.assistantList)
}

func (p Plugin) assistantList(r *tools.Reader, in assistantListIn) (AssistantPage, error) {
	limit, after, _, err := in.page()
	if err != nil {
		return AssistantPage{}, err
	}
	recs, err := r.List(Assistants, tools.Query{Sort: "assistant"})
	if err != nil {
		return AssistantPage{}, err
	}
	said := map[string]*core.Record{}
	for _, rec := range recs {
		said[rec.GetString("assistant")] = rec
	}
	fixed := p.fixed()
	known, err := p.known(r.Context())
	if err != nil {
		return AssistantPage{}, err
	}
	ids := map[string]bool{}
	for id := range said {
		ids[id] = true
	}
	for id := range fixed {
		ids[id] = true
	}
	out := AssistantPage{Items: []Assistant{}}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if id <= after {
			continue
		}
		if len(out.Items) == limit {
			out.Next = cursor(out.Items[limit-1].ID, "-")
			break
		}
		out.Items = append(out.Items, assistantOf(id, said[id], fixed[id], known[id]))
	}
	return out, nil
}

// assistantOf puts together what is said of an assistant; rec may be nil.
func assistantOf(id string, rec *core.Record, fixed map[string]string, known Known) Assistant {
	a := Assistant{ID: id, Host: known.Host, Local: known.Local, Prices: known.Prices, From: map[string]string{}, Locked: []string{}, Lacks: append([]string{}, known.Lacks...)}
	v := map[string]string{}
	for _, field := range append(assistantFields(), "key") {
		v[field] = known.Fields[field]
		if rec != nil && rec.GetString(field) != "" {
			v[field], a.From[field] = rec.GetString(field), FromOperator
		}
		if s, ok := fixed[field]; ok {
			delete(a.From, field)
			if a.Locked = append(a.Locked, field); s != "" {
				v[field], a.From[field] = s, FromEnvironment
			}
		}
	}
	a.Name, a.Protocol, a.BaseURL, a.Model, a.Images = v["name"], v["protocol"], v["base_url"], v["model"], v["images"]
	a.Effort, a.MaxEffort, a.Mode = v["effort"], v["max_effort"], v["mode"]
	a.PriceInput, a.PriceOutput, a.PriceCacheRead, a.PriceCacheWrite = v["price_input"], v["price_output"], v["price_cache_read"], v["price_cache_write"]
	a.Key = a.From["key"] != "" || known.Key
	if rec != nil {
		a.Updated = at(rec, "updated")
	}
	return a
}

// fixed is what the environment says of assistants, by id and field.
func (p Plugin) fixed() map[string]map[string]string {
	if p.Fixed == nil {
		return nil
	}
	return p.Fixed()
}

// known are the assistants as they are used, by id.
func (p Plugin) known(ctx context.Context) (map[string]Known, error) {
	all := map[string]Known{}
	if p.Known == nil {
		return all, nil
	}
	known, err := p.Known(ctx)
	for _, k := range known {
		all[k.ID] = k
	}
	return all, err
}

// would is an assistant as it is used with what a record says, and no longer
// as it was before.
func (p Plugin) would(id string, rec *core.Record) Known {
	if p.Would == nil {
		return Known{}
	}
	said := map[string]string{}
	for _, field := range assistantFields() {
		said[field] = rec.GetString(field)
	}
	if rec.GetString("key") != "" {
		said["key"] = "sealed"
	}
	return p.Would(id, said)
}

// saidOf is what operators have said of an assistant; nil where that is nothing.
func saidOf(r *tools.Reader, id string) (*core.Record, error) {
	recs, err := r.List(Assistants, tools.Query{In: map[string][]string{"assistant": {id}}, Limit: 1})
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	return recs[0], nil
}

// hasAssistant refuses what is no assistant. It is for operators' tools.
func (p Plugin) hasAssistant(r *tools.Reader, id string) error {
	if _, ok := p.fixed()[id]; ok {
		return nil
	}
	rec, err := saidOf(r, id)
	if err == nil && rec == nil {
		err = noAssistant(id)
	}
	return err
}

func noAssistant(id string) error {
	return tools.Fail(tools.NotFound, "nodkeep.error.no_assistant", tools.Quoted(id, 60))
}

// variable is the setting by which the environment says a field.
func variable(id, field string) string {
	return "ASSISTANT_" + strings.ToUpper(strings.ReplaceAll(id, "-", "_")+"_"+field)
}
