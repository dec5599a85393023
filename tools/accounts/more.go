package accounts

import (
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Requests are what members ask operators for: an assistant, or more of what
// their budget gives.
const Requests = "nodkeep_requests"

// What a request is for, and how it stands.
const (
	ForAssistant = "assistant"
	ForBudget    = "budget"

	RequestOpen     = "open"
	RequestApproved = "approved"
	RequestRefused  = "refused"
)

// The bounds of requests.
const (
	maxRequests = 10  // of a member that are open
	maxReason   = 300 // characters of a note
)

// Request is what a member asks for.
type Request struct {
	ID        string `json:"id"`
	Account   string `json:"account"`
	Handle    string `json:"handle"`
	Kind      string `json:"kind"`  // assistant or budget
	State     string `json:"state"` // open, approved or refused
	Assistant string `json:"assistant,omitzero"`
	Amounts
	Currency string    `json:"currency"`
	Note     string    `json:"note"`
	Created  time.Time `json:"created"`
	Decided  time.Time `json:"decided,omitzero"`
	lines    []tools.Text
}

func (p Plugin) requestOf(r *tools.Reader, rec *core.Record) Request {
	return Request{
		ID: rec.Id, Account: rec.GetString("person"), Handle: handleOf(r, rec.GetString("person")), Kind: rec.GetString("kind"),
		State: rec.GetString("state"), Assistant: rec.GetString("assistant"), Amounts: amountsOf(rec), Currency: p.Currency,
		Note: rec.GetString("note"), Created: at(rec, "created"), Decided: at(rec, "decided"),
	}
}

// RequestPage is one page of requests.
type RequestPage struct {
	Items []Request `json:"items"`
	Next  string    `json:"next"`
}

type moreListIn struct {
	State string `json:"state,omitzero"` // open unless given; all
	pageIn
}

func (p Plugin) moreListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_more_list", Title: "nodkeep.title.more_list", Operator: true, Hidden: hiddenAssistant,
		Help: "Lists what members ask for, oldest first: an assistant, or more of what their budget gives. state: open (unless given), approved, refused or all.",
	}, func(r *tools.Reader, in moreListIn) (RequestPage, error) {
		if in.State == "" {
			in.State = RequestOpen
		}
		return p.moreList(r, in, nil)
	})
}

func (p Plugin) moreOwnTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_more_own", Title: "nodkeep.title.more_own", Hidden: hiddenConsent,
		Help: "Lists what one asked operators for, oldest first, and how it stands. state: open, approved, refused or all (unless given).",
	}, func(r *tools.Reader, in moreListIn) (RequestPage, error) {
		if err := noModel(r); err != nil {
			return RequestPage{}, err
		}
		return p.moreList(r, in, []string{r.Actor.Person})
	})
}

func (p Plugin) moreList(r *tools.Reader, in moreListIn, person []string) (RequestPage, error) {
	q, limit, err := in.query()
	if err != nil {
		return RequestPage{}, err
	}
	switch in.State {
	case "", "all":
	case RequestOpen, RequestApproved, RequestRefused:
		q.In["state"] = []string{in.State}
	default:
		return RequestPage{}, invalid("nodkeep.error.more_state", tools.Quoted(in.State, 40))
	}
	if person != nil {
		q.In["person"] = person
	}
	recs, err := r.List(Requests, q)
	if err != nil {
		return RequestPage{}, err
	}
	recs, next := cut(recs, limit, created)
	out := RequestPage{Items: []Request{}, Next: next}
	for _, rec := range recs {
		out.Items = append(out.Items, p.requestOf(r, rec))
	}
	return out, nil
}

type moreAskIn struct {
	Assistant string `json:"assistant,omitzero"`
	amountsIn
	Note string `json:"note,omitzero"`
}

func (p Plugin) moreAskTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_more_ask", Title: "nodkeep.title.more_ask", Effect: tools.EffectWrite, Hidden: hiddenConsent,
		Help: "Asks operators for an assistant that one may not use yet, or for more of what one's budget gives: day_cost, month_cost, day_tokens, month_tokens, empty for twice what it is; with none of these, twice each limit that is reached. A note of at most 300 characters may say why.",
	}, p.moreAsk, tools.WithCard(func(_ *tools.Reader, _ moreAskIn, out Request, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: requestTitle("nodkeep.card.more_ask", out), Lines: append(out.lines, tools.T("nodkeep.card.more_ask_then"))}, nil
	}))
}

// requestTitle names what a request is for.
func requestTitle(key string, q Request) tools.Text {
	if q.Kind == ForAssistant {
		return tools.T(key+".assistant", q.Assistant, q.Handle)
	}
	return tools.T(key+".budget", q.Handle)
}

func (p Plugin) moreAsk(c *tools.Call, in moreAskIn) (Request, error) {
	if err := noModel(&c.Reader); err != nil {
		return Request{}, err
	}
	note := strings.TrimSpace(in.Note)
	if len([]rune(note)) > maxReason {
		return Request{}, invalid("nodkeep.error.note", maxReason)
	}
	rec := c.New(Requests)
	rec.Set("person", c.Actor.Person)
	rec.Set("state", RequestOpen)
	rec.Set("note", note)
	ask := p.askBudget
	if in.Assistant != "" {
		ask = p.askAssistant
	}
	if err := ask(&c.Reader, in, rec); err != nil {
		return Request{}, err
	}
	if err := mayAsk(&c.Reader, rec); err != nil {
		return Request{}, err
	}
	if err := c.Save(rec); err != nil {
		return Request{}, err
	}
	out := p.requestOf(&c.Reader, rec)
	if out.Kind == ForBudget {
		out.lines = p.amountLines(rec)
	}
	return out, nil
}

func (p Plugin) askAssistant(r *tools.Reader, in moreAskIn, rec *core.Record) error {
	if !in.none() {
		return invalid("nodkeep.error.more_both")
	}
	known, err := p.known(r.Context())
	if err != nil {
		return err
	}
	if _, ok := known[in.Assistant]; !ok {
		return noAssistant(in.Assistant)
	}
	granted, err := grantedTo(r)
	if err == nil && granted[in.Assistant] {
		err = conflict("nodkeep.error.granted", in.Assistant)
	}
	rec.Set("kind", ForAssistant)
	rec.Set("assistant", in.Assistant)
	return err
}

// askBudget notes how much is asked for: twice what there is where nothing else
// is said.
func (p Plugin) askBudget(r *tools.Reader, in moreAskIn, rec *core.Record) error {
	rec.Set("kind", ForBudget)
	budget, err := budgetOf(r, r.Actor.Person)
	if err != nil {
		return err
	}
	if budget == nil {
		return conflict("nodkeep.error.more_free")
	}
	if in.none() {
		if in.amountsIn, err = p.reached(r); err != nil {
			return err
		}
	}
	for _, field := range amountFields() {
		said := in.of(field)
		if said == nil {
			continue
		}
		is, limited := limited(budget, field)
		if !limited {
			return conflict("nodkeep.error.more_no_limit", field)
		}
		stored, err := amount(field, *said, p.Currency)
		if err != nil {
			return err
		}
		wants := twice(field, is)
		if stored != "" {
			wants = whole64(stored)
		}
		if wants <= is {
			return invalid("nodkeep.error.more_little", field, p.said("nodkeep.amount", field, is))
		}
		rec.Set(field, wants)
	}
	return nil
}

// reached are the limits of the budget that who acts has come to, to be doubled.
func (p Plugin) reached(r *tools.Reader) (in amountsIn, err error) {
	var fields []string
	if p.Reached != nil {
		if fields, err = p.Reached(r.Context(), r.Actor.Person); err != nil {
			return in, err
		}
	}
	for _, field := range fields {
		switch field {
		case "day_cost":
			in.DayCost = new("")
		case "month_cost":
			in.MonthCost = new("")
		case "day_tokens":
			in.DayTokens = new("")
		case "month_tokens":
			in.MonthTokens = new("")
		}
	}
	if in.none() {
		return in, invalid("nodkeep.error.more_what")
	}
	return in, nil
}

// mayAsk refuses to ask twice for the same, and to ask for very much.
func mayAsk(r *tools.Reader, rec *core.Record) error {
	open, err := r.List(Requests, tools.Query{In: map[string][]string{"person": {r.Actor.Person}, "state": {RequestOpen}}, Limit: maxRequests})
	if err != nil {
		return err
	}
	for _, is := range open {
		if is.GetString("kind") == rec.GetString("kind") && is.GetString("assistant") == rec.GetString("assistant") {
			return conflict("nodkeep.error.more_asked")
		}
	}
	if len(open) >= maxRequests {
		return conflict("nodkeep.error.more_many", maxRequests)
	}
	return nil
}
