package accounts

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Consents are what members agreed to: that what they ask of an assistant goes
// to its host. At another host, or by another protocol, they are asked again.
const Consents = "nodkeep_consents"

// hiddenConsent is why no model is offered what these tools do.
const hiddenConsent = "What a person agrees to and what they may spend is for them to say, never for a model."

// MyAssistant is one that a member may use, or could ask for.
type MyAssistant struct {
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	Model    string     `json:"model"`
	Host     string     `json:"host"`
	Protocol string     `json:"protocol"`
	Local    bool       `json:"local"`
	Scripted bool       `json:"scripted"` // it is no model: its answers are fixed
	Images   bool       `json:"images"`
	Effort   string     `json:"effort"`
	Goes     tools.Text `json:"goes"`    // what goes there
	Granted  bool       `json:"granted"` // they may use it
	Agreed   bool       `json:"agreed"`  // they agreed to what goes there
	Since    time.Time  `json:"since,omitzero"`
}

// MyAssistants are those a member may use, and the others.
type MyAssistants struct {
	Items []MyAssistant `json:"items"`
	Next  string        `json:"next"`
	More  []MyAssistant `json:"more"` // that can be asked for
}

func (p Plugin) consentListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_consent_list", Title: "nodkeep.title.consent_list", Hidden: hiddenConsent,
		Help: "Lists the assistants that one may use, local ones first, with what goes where and whether one agreed to that, and those that one could ask for.",
	}, p.consentList)
}

func (p Plugin) consentList(r *tools.Reader, in pageIn) (MyAssistants, error) {
	out := MyAssistants{Items: []MyAssistant{}, More: []MyAssistant{}}
	limit, after, _, err := in.page()
	if err != nil {
		return out, err
	}
	if err := noModel(r); err != nil {
		return out, err
	}
	granted, err := grantedTo(r)
	if err != nil {
		return out, err
	}
	agreed := map[string]*core.Record{}
	recs, err := r.List(Consents, tools.Query{In: map[string][]string{"person": {r.Actor.Person}}})
	if err != nil {
		return out, err
	}
	for _, rec := range recs {
		agreed[rec.GetString("assistant")] = rec
	}
	known, err := p.known(r.Context())
	if err != nil {
		return out, err
	}
	all := slices.SortedFunc(maps.Values(known), func(a, b Known) int {
		if a.Local != b.Local {
			return map[bool]int{true: -1, false: 1}[a.Local]
		}
		return cmp.Compare(a.ID, b.ID)
	})
	for _, k := range all {
		mine := myAssistant(k, granted[k.ID], agreed[k.ID])
		if mine.Granted {
			out.Items = append(out.Items, mine)
		} else {
			out.More = append(out.More, mine)
		}
	}
	out.Items, out.Next = pageOf(out.Items, limit, after, func(m MyAssistant) string { return m.ID })
	return out, nil
}

func myAssistant(k Known, granted bool, agreed *core.Record) MyAssistant {
	m := MyAssistant{
		ID: k.ID, Name: cmp.Or(k.Fields["name"], k.ID), Model: k.Fields["model"], Host: k.Host, Protocol: k.Fields["protocol"], Local: k.Local, Scripted: k.Script,
		Images: k.Fields["images"] == "yes", Effort: k.Fields["effort"], Granted: granted, Goes: goes(k),
	}
	if agreesTo(agreed, k) {
		m.Agreed, m.Since = true, at(agreed, "updated")
	}
	m.Agreed = m.Agreed || k.Script
	return m
}

// goes says what goes to an assistant's host.
func goes(k Known) tools.Text {
	switch {
	case k.Script:
		return tools.T("nodkeep.goes.script")
	case k.Local:
		return tools.T("nodkeep.goes.local", k.Host)
	case !k.Names:
		return tools.T("nodkeep.goes.unnamed", k.Host)
	}
	return tools.T("nodkeep.goes.away", k.Host)
}

// agreesTo says that a consent is for where the assistant is now; rec may be nil.
func agreesTo(rec *core.Record, k Known) bool {
	return rec != nil && k.Host != "" && rec.GetString("host") == k.Host && rec.GetString("protocol") == k.Fields["protocol"]
}

// grantedTo are the assistants that who acts may use.
func grantedTo(r *tools.Reader) (map[string]bool, error) {
	recs, err := r.List(Grants, tools.Query{Filter: "person = {:person} || everybody = true", Params: map[string]any{"person": r.Actor.Person}})
	all := map[string]bool{}
	for _, rec := range recs {
		all[rec.GetString("assistant")] = true
	}
	return all, err
}

// noModel refuses an agent: also where a door would let it call what is hidden.
func noModel(r *tools.Reader) error {
	if r.Actor.Agent != "" {
		return tools.Fail(tools.Forbidden, "nodkeep.error.no_model")
	}
	return nil
}

// consentOf is what who acts agreed to of an assistant; nil for nothing.
func consentOf(r *tools.Reader, assistant string) (*core.Record, error) {
	return theirs(r, Consents, r.Actor.Person, map[string]string{"assistant": assistant})
}

type consentGiveIn struct {
	Assistant string `json:"assistant"`
	Host      string `json:"host,omitzero"` // that was shown, if another must not count
}

func (p Plugin) consentGiveTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_consent_give", Title: "nodkeep.title.consent_give", Effect: tools.EffectWrite, SignedIn: true, Hidden: hiddenConsent,
		Help: "Agrees that what one asks of an assistant, and what it reads for that, goes to its host. It is asked again when that is another. nodkeep_consent_withdraw takes it back.",
	}, p.consentGive, tools.WithCard(func(_ *tools.Reader, _ consentGiveIn, out MyAssistant, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.consent_give", out.Name), Lines: []tools.Text{out.Goes, tools.T("nodkeep.card.consent_give_then")}}, nil
	}))
}

func (p Plugin) consentGive(c *tools.Call, in consentGiveIn) (MyAssistant, error) {
	if err := noModel(&c.Reader); err != nil {
		return MyAssistant{}, err
	}
	known, err := p.known(c.Context())
	if err != nil {
		return MyAssistant{}, err
	}
	k, ok := known[in.Assistant]
	if !ok {
		return MyAssistant{}, noAssistant(in.Assistant)
	}
	granted, err := grantedTo(&c.Reader)
	if err != nil {
		return MyAssistant{}, err
	}
	if !granted[k.ID] {
		return MyAssistant{}, tools.Fail(tools.Forbidden, "nodkeep.error.not_granted", k.ID)
	}
	if in.Host != "" && in.Host != k.Host {
		return MyAssistant{}, conflict("nodkeep.error.other_host", k.ID, k.Host)
	}
	rec, err := consentOf(&c.Reader, k.ID)
	if err != nil {
		return MyAssistant{}, err
	}
	if rec == nil {
		rec = c.New(Consents)
		rec.Set("person", c.Actor.Person)
		rec.Set("assistant", k.ID)
	}
	rec.Set("host", k.Host)
	rec.Set("protocol", k.Fields["protocol"])
	err = c.Save(rec)
	return myAssistant(k, true, rec), err
}

type consentWithdrawIn struct {
	Assistant string `json:"assistant"`
}

// Withdrawn names an assistant to which nothing goes any more.
type Withdrawn struct {
	Assistant string `json:"assistant"`
	Agreed    bool   `json:"agreed"`
}

// To withdraw is as easy as to agree: nothing is deleted, and so no card is
// asked for first.
func consentWithdrawTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_consent_withdraw", Title: "nodkeep.title.consent_withdraw", Effect: tools.EffectWrite, Hidden: hiddenConsent,
		Help: "Withdraws what one agreed to of an assistant: nothing goes to its host any more. nodkeep_consent_give takes it back.",
	}, func(c *tools.Call, in consentWithdrawIn) (Withdrawn, error) {
		if err := noModel(&c.Reader); err != nil {
			return Withdrawn{}, err
		}
		rec, err := consentOf(&c.Reader, in.Assistant)
		if err != nil {
			return Withdrawn{}, err
		}
		if rec == nil || rec.GetString("host") == "" {
			return Withdrawn{}, conflict("nodkeep.error.not_agreed", tools.Quoted(in.Assistant, 60))
		}
		rec.Set("host", "")
		rec.Set("protocol", "")
		return Withdrawn{Assistant: in.Assistant}, c.Save(rec)
	}, tools.WithCard(func(_ *tools.Reader, _ consentWithdrawIn, out Withdrawn, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.consent_withdraw", out.Assistant), Lines: []tools.Text{tools.T("nodkeep.card.consent_withdraw_then")}}, nil
	}))
}
