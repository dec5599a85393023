package household

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// What a briefing lists at most, so that a household of any size fits into
// 1,500 tokens; what is left out is counted.
const (
	briefSubscriptions = 40
	briefCharges       = 5
	briefAttention     = 5
	briefMembers       = 8
	briefName          = 20 // bytes
)

// Brief says how the household stands, to a model and as the person who asks.
// Dates and amounts stand in it as tools take them.
func (Plugin) Brief(r *tools.Reader) ([]tools.Text, error) {
	h, err := homeOf(r)
	if err != nil {
		return nil, err
	}
	lines := []tools.Text{tools.T("household.brief.home", h.today.String(), h.currency, h.zone)}
	if !h.loads {
		lines = append(lines, tools.Text(h.shown().Problem))
	}
	members, err := briefMembersOf(r)
	if err != nil {
		return nil, err
	}
	lines = append(lines, members)
	all, err := soon(r, h, "")
	if err != nil {
		return nil, err
	}
	lines = append(lines, briefRunning(h, all)...)
	attention, err := briefAttentionOf(r, h, all)
	if err != nil {
		return nil, err
	}
	lines = append(lines, attention...)
	return append(lines, tools.T("household.brief.dates"), tools.T("household.brief.money"), tools.T("household.brief.glossary")), nil
}

// briefMembersOf names the members, and whom the briefing is for.
func briefMembersOf(r *tools.Reader) (tools.Text, error) {
	all, err := r.Members()
	if err != nil {
		return tools.Text{}, err
	}
	var me string
	names := make([]string, 0, len(all))
	for _, m := range all {
		if m.ID == r.Actor.Person {
			me = m.Handle
		}
		names = append(names, m.Handle)
	}
	if more := len(names) - briefMembers; more > 0 {
		return tools.T("household.brief.members_cut", me, strings.Join(names[:briefMembers], ", "), more), nil
	}
	return tools.T("household.brief.members", me, strings.Join(names, ", ")), nil
}

// briefRunning lists what runs and the next charges.
func briefRunning(h home, all book) []tools.Text {
	all = slices.DeleteFunc(slices.Clone(all), func(e entry) bool { return !e.ends.IsZero() && e.ends.Before(h.today) })
	due := all.due(h.today, h.today.AddDays(daysAhead))
	var sums []string
	runs := 0
	for _, s := range all.monthly(h.today) {
		if runs += s.count; s.count > 0 {
			sums = append(sums, s.String())
		}
	}
	if len(sums) == 0 {
		sums = []string{tools.Money{Currency: h.currency}.String()}
	}
	if len(all) == 0 {
		return []tools.Text{tools.T("household.brief.empty")}
	}
	lines := []tools.Text{tools.T("household.brief.running", runs, strings.Join(sums, ", "))}
	if rest := len(all) - runs; rest > 0 {
		lines = append([]tools.Text{tools.T("household.brief.paused", rest)}, lines...)
	}
	for i, s := range all {
		if i == briefSubscriptions {
			lines = append(lines, tools.T("household.brief.more", len(all)-i))
			break
		}
		lines = append(lines, tools.T("household.brief.subscription",
			briefed(s.name()), s.money(s.on(h.today)).String(), s.cycle.String(), nextSaid(s, h.today), s.id()))
	}
	var next []string
	for i, u := range due {
		if i == briefCharges {
			break
		}
		next = append(next, fmt.Sprintf("%s %s %s %s", u.Date, briefed(u.Name), u.Amount, u.Currency))
	}
	if len(next) > 0 {
		lines = append(lines, tools.T("household.brief.next", len(due), daysAhead, strings.Join(next, "; ")))
	}
	return lines
}

// nextSaid is the next charge as the briefing writes it, or else the last day.
func nextSaid(e entry, today tools.Date) any {
	if d, ok := e.nextOpen(today, e.near); ok {
		return d.String()
	}
	if !e.ends.IsZero() {
		return tools.T("household.brief.ends", e.ends.String())
	}
	return "-"
}

// briefAttentionOf lists what is due to be said within a month, charges left
// out: those stand above.
func briefAttentionOf(r *tools.Reader, h home, all book) ([]tools.Text, error) {
	list, err := remindersAmong(r, h, h.today.AddDays(daysAhead), all)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(m reminder) bool { return m.kind == remindCharge || m.said != "" })
	if len(list) == 0 {
		return []tools.Text{tools.T("household.brief.calm")}, nil
	}
	lines := []tools.Text{tools.T("household.brief.attention", len(list))}
	for i, m := range list {
		if i == briefAttention {
			return append(lines, tools.T("household.brief.attention_more", len(list)-i)), nil
		}
		// The first argument of each is the name.
		lines = append(lines, tools.T(m.text.Key, append([]any{briefed(m.sub.name())}, m.text.Args[1:]...)...))
	}
	return lines, nil
}

// briefed is a name, cut where it is long.
func briefed(name string) string {
	if len(name) <= briefName {
		return name
	}
	return strings.TrimSpace(strings.ToValidUTF8(name[:briefName-len("…")], "")) + "…"
}

// Briefing is how the household stands, in sentences.
type Briefing struct {
	Lines []tools.Words `json:"lines"`
}

func briefingTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_briefing", Title: "household.title.briefing", Core: true,
		Help: "Says how the household stands, to read first: today, members, what runs with ids, next charges, what needs attention, what words and dates mean.",
	}, func(r *tools.Reader, _ struct{}) (Briefing, error) {
		texts, err := Plugin{}.Brief(r)
		out := Briefing{Lines: make([]tools.Words, len(texts))}
		for i, t := range texts {
			out.Lines[i] = tools.Words(t)
		}
		return out, err
	})
}
