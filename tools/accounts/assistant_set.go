package accounts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// assistantSetIn says what is given; the rest stays, and "" is said no more.
type assistantSetIn struct {
	ID              string        `json:"id"`
	Seen            *string       `json:"seen,omitempty"` // updated, as the list had it
	Name            *string       `json:"name,omitempty"`
	Protocol        *string       `json:"protocol,omitempty"`
	BaseURL         *string       `json:"base_url,omitempty"`
	Model           *string       `json:"model,omitempty"`
	Key             *tools.Secret `json:"key,omitempty"`
	Images          *string       `json:"images,omitempty"` // yes or no
	Effort          *string       `json:"effort,omitempty"`
	MaxEffort       *string       `json:"max_effort,omitempty"`
	Mode            *string       `json:"mode,omitempty"`
	PriceInput      *string       `json:"price_input,omitempty"` // a million tokens
	PriceOutput     *string       `json:"price_output,omitempty"`
	PriceCacheRead  *string       `json:"price_cache_read,omitempty"`
	PriceCacheWrite *string       `json:"price_cache_write,omitempty"`
}

// given are the fields that are said, by name, but the key.
func (in assistantSetIn) given() map[string]string {
	out := map[string]string{}
	for field, v := range map[string]*string{
		"name": in.Name, "protocol": in.Protocol, "base_url": in.BaseURL, "model": in.Model, "images": in.Images,
		"effort": in.Effort, "max_effort": in.MaxEffort, "mode": in.Mode, "price_input": in.PriceInput, "price_output": in.PriceOutput,
		"price_cache_read": in.PriceCacheRead, "price_cache_write": in.PriceCacheWrite,
	} {
		if v != nil {
			out[field] = strings.TrimSpace(*v)
		}
	}
	return out
}

// AssistantSet is what became of an assistant.
type AssistantSet struct {
	Assistant
	made, dropped bool // it is new; its key went with the address
}

func (p Plugin) assistantSetTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_assistant_set", Title: "nodkeep.title.assistant_set", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenAssistant,
		Help: "Sets up an assistant, or changes what is given of one: name, protocol (anthropic, openai, openai-responses), base_url, model, key, images (yes, no), effort and max_effort (low to max), mode (read, ask, write, trusted), prices for a million tokens. An empty value is said no more; a key goes with its address unless a new one comes along. What the environment says stays. Setting it anew takes it back.",
	}, p.assistantSet, tools.WithCard(func(_ *tools.Reader, in assistantSetIn, out AssistantSet, _ []tools.Change) (tools.Card, error) {
		title := "nodkeep.card.assistant_change"
		if out.made {
			title = "nodkeep.card.assistant_add"
		}
		card := tools.Card{Title: tools.T(title, out.ID)}
		if out.BaseURL != "" {
			card.Lines = append(card.Lines, tools.T("nodkeep.card.assistant_to", out.BaseURL))
		}
		switch {
		case in.Key != nil && *in.Key != "":
			card.Lines = append(card.Lines, tools.T("nodkeep.card.assistant_key"))
		case out.dropped:
			card.Lines = append(card.Lines, tools.T("nodkeep.card.assistant_key_goes"))
		case in.Key != nil:
			card.Lines = append(card.Lines, tools.T("nodkeep.card.assistant_no_key"))
		}
		card.Lines = append(card.Lines, tools.T("nodkeep.card.assistant_then"))
		return card, nil
	}))
}

func (p Plugin) assistantSet(c *tools.Call, in assistantSetIn) (AssistantSet, error) {
	if p.IsAssistant == nil || p.Clean == nil || p.Seal == nil {
		return AssistantSet{}, tools.Fail(tools.Unavailable, "nodkeep.error.no_assistants")
	}
	if !p.IsAssistant(in.ID) {
		return AssistantSet{}, invalid("nodkeep.error.assistant_id", tools.Quoted(in.ID, 60))
	}
	given, fixed := in.given(), p.fixed()
	if len(given) == 0 && in.Key == nil {
		return AssistantSet{}, invalid("nodkeep.error.nothing")
	}
	rec, err := saidOf(&c.Reader, in.ID)
	if err != nil {
		return AssistantSet{}, err
	}
	if err := unseen(in.Seen, rec, sayings(rec)); err != nil {
		return AssistantSet{}, err
	}
	if err := mayChange(in, given, fixed[in.ID]); err != nil {
		return AssistantSet{}, err
	}
	made := rec == nil && fixed[in.ID] == nil
	if rec == nil {
		if err := alike(fixed, in.ID); err != nil {
			return AssistantSet{}, err
		}
		rec = c.New(Assistants)
		rec.Set("assistant", in.ID)
	}
	before := address(rec, fixed[in.ID])
	for field, v := range given {
		if err := p.say(rec, field, v); err != nil {
			return AssistantSet{}, err
		}
	}
	out := AssistantSet{made: made}
	if address(rec, fixed[in.ID]) != before && rec.GetString("key") != "" {
		rec.Set("key", "")
		out.dropped = true
	}
	if err := whole(rec, fixed[in.ID]); err != nil {
		return AssistantSet{}, err
	}
	if err := p.setKey(c, rec, fixed[in.ID], in.Key); err != nil {
		return AssistantSet{}, err
	}
	if err := c.Save(rec); err != nil {
		return AssistantSet{}, err
	}
	out.Assistant = assistantOf(in.ID, rec, fixed[in.ID], p.would(in.ID, rec))
	return out, nil
}

// mayChange refuses what the environment says already.
func mayChange(in assistantSetIn, given, fixed map[string]string) error {
	fields := assistantFields()
	for _, field := range fields {
		if _, is := fixed[field]; is {
			if _, asked := given[field]; asked {
				return conflict("nodkeep.error.assistant_locked", field, in.ID, variable(in.ID, field))
			}
		}
	}
	if in.Key == nil || *in.Key == "" {
		return nil
	}
	if _, is := fixed["key"]; is {
		return conflict("nodkeep.error.assistant_locked", "key", in.ID, variable(in.ID, "key"))
	}
	return nil
}

// alike refuses an id whose settings would have the names of another's.
func alike(fixed map[string]map[string]string, id string) error {
	for other := range fixed {
		if other != id && variable(other, "") == variable(id, "") {
			return conflict("nodkeep.error.assistant_alike", id, other)
		}
	}
	return nil
}

// say puts one field into a record, or says how it has to be; never what was
// given, as that may be a key in the wrong place.
func (p Plugin) say(rec *core.Record, field, v string) error {
	if v != "" {
		clean, err := p.Clean(field, v)
		if err != nil {
			how := strings.TrimPrefix(field, "max_")
			if strings.HasPrefix(field, "price_") {
				how = "price"
			}
			return invalid("nodkeep.error.assistant_field."+how, field)
		}
		v = clean
	}
	rec.Set(field, v)
	return nil
}

// efforts are from little to much.
func efforts() []string { return []string{"low", "medium", "high", "xhigh", "max"} }

// address is where an assistant is asked, as far as it is said: without an
// address its protocol tells.
func address(rec *core.Record, fixed map[string]string) string {
	return cmp.Or(fixed["base_url"], rec.GetString("base_url"), "protocol "+cmp.Or(fixed["protocol"], rec.GetString("protocol")))
}

// whole refuses an assistant that could not be asked, as far as that can be told
// from what is said of it.
func whole(rec *core.Record, fixed map[string]string) error {
	said := func(field string) string {
		if v, ok := fixed[field]; ok {
			return v
		}
		return rec.GetString(field)
	}
	if said("model") == "" {
		return invalid("nodkeep.error.assistant_model")
	}
	if said("base_url") == "" && said("protocol") == "" {
		return invalid("nodkeep.error.assistant_where")
	}
	effort, most := slices.Index(efforts(), said("effort")), slices.Index(efforts(), said("max_effort"))
	if most >= 0 && effort > most {
		return invalid("nodkeep.error.assistant_effort", said("effort"), said("max_effort"))
	}
	// With but one of them nobody could tell what a call costs.
	input, output := said("price_input") != "", said("price_output") != ""
	if input != output || !input && (said("price_cache_read") != "" || said("price_cache_write") != "") {
		return invalid("nodkeep.error.assistant_prices")
	}
	return nil
}

// setKey seals a new key for its record, or takes it out.
func (p Plugin) setKey(c *tools.Call, rec *core.Record, fixed map[string]string, key *tools.Secret) error {
	if key == nil {
		return nil
	}
	if strings.TrimSpace(string(*key)) == "" {
		rec.Set("key", "")
		return nil
	}
	secret, err := p.Clean("key", string(*key))
	if err != nil {
		return invalid("nodkeep.error.assistant_field.key", "key")
	}
	if rec.IsNew() { // sealed for its record, which has to have an id
		if err := c.Save(rec); err != nil {
			return err
		}
	}
	sealed, err := p.Seal(rec.Id, cmp.Or(fixed["protocol"], rec.GetString("protocol")), rec.GetString("base_url"), []byte(secret))
	if err != nil {
		return err
	}
	rec.Set("key", sealed)
	return nil
}

// sayings are what operators say of an assistant, for who has not seen it.
func sayings(rec *core.Record) (lines []tools.Text) {
	if rec == nil {
		return []tools.Text{tools.T("nodkeep.now.nothing")}
	}
	for _, field := range assistantFields() {
		if v := rec.GetString(field); v != "" {
			lines = append(lines, tools.T("", field+" = "+v))
		}
	}
	return lines
}
