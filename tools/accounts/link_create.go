package accounts

import (
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

type inviteIn struct {
	Note string `json:"note,omitzero"` // for whom it is, to tell it from others; at most 80 characters
}

func (p Plugin) inviteCreateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_invite_create", Title: "nodkeep.title.invite_create", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Makes a link by which one person makes an account that is approved at once. It is good once, for seven days. nodkeep_link_revoke takes it back.",
	}, func(c *tools.Call, in inviteIn) (NewLink, error) {
		note := strings.TrimSpace(in.Note)
		if len([]rune(note)) > 80 {
			return NewLink{}, invalid("nodkeep.error.note", 80)
		}
		return p.makeLink(c, Invite, note, nil)
	}, tools.WithCard(func(r *tools.Reader, _ inviteIn, out NewLink, _ []tools.Change) (tools.Card, error) {
		return linkCard(r, tools.T("nodkeep.card.invite"), out), nil
	}))
}

func (p Plugin) resetCreateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_reset_create", Title: "nodkeep.title.reset_create", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Makes a link by which a member who forgot the password sets a new one. Hand it to nobody else. It is good once, for a day. nodkeep_link_revoke takes it back.",
	}, func(c *tools.Call, in memberIn) (NewLink, error) {
		rec, err := member(&c.Reader, string(in.Account))
		if err != nil {
			return NewLink{}, err
		}
		return p.makeLink(c, Reset, "", rec)
	}, tools.WithCard(func(r *tools.Reader, _ memberIn, out NewLink, _ []tools.Change) (tools.Card, error) {
		return linkCard(r, tools.T("nodkeep.card.reset", out.handle), out), nil
	}))
}

func (p Plugin) passCreateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_pass_create", Title: "nodkeep.title.pass_create", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Makes a link by which a person who waits gets a new waiting pass in place of a lost one. It is good once, for seven days. nodkeep_link_revoke takes it back.",
	}, func(c *tools.Call, in which) (NewLink, error) {
		rec, err := waiter(&c.Reader, string(in.Account))
		if err != nil {
			return NewLink{}, err
		}
		return p.makeLink(c, Pass, "", rec)
	}, tools.WithCard(func(r *tools.Reader, _ which, out NewLink, _ []tools.Change) (tools.Card, error) {
		return linkCard(r, tools.T("nodkeep.card.pass", out.handle), out), nil
	}))
}

func linkCard(r *tools.Reader, title tools.Text, out NewLink) tools.Card {
	return tools.Card{Title: title, Lines: []tools.Text{tools.T("nodkeep.card.link_until", tools.Moment(out.Expires, r.Zone())), tools.T("nodkeep.card.link_then")}}
}
