package tools

import (
	"context"
	"encoding/json/jsontext"
	"slices"
	"strconv"
	"time"
)

// Entry is an audit entry as a person may see it.
type Entry struct {
	ID       string         `json:"id"`
	Created  time.Time      `json:"created"`
	Tool     string         `json:"tool"`
	Effect   Effect         `json:"effect"`
	State    string         `json:"state"`
	Actor    Actor          `json:"actor"`
	Args     jsontext.Value `json:"args"`
	Changes  []Change       `json:"changes"`
	More     bool           `json:"more"` // there are changes beyond those listed
	Unseen   int            `json:"unseen"`
	Reason   string         `json:"reason"`
	Proposal string         `json:"proposal"`
	Undoes   []string       `json:"undoes"`
	UndoneBy string         `json:"undone_by"`
	Handle   string         `json:"handle,omitzero"` // of who did it; agents are told the id alone
	Title    *Text          `json:"title,omitzero"`  // what the tool is called; for people, too
}

// maxListed bounds the changes that an entry lists, maxScanned the entries that
// are looked at for one page (a person may have a part in few of them), and
// maxRead the steps that are read of each.
const (
	maxListed  = 100
	maxScanned = 1000
	maxRead    = 500 // steps of one entry
)

// Activity is a page of entries, newest first, and the cursor of the next page.
type Activity struct {
	Items []Entry `json:"items"`
	Next  string  `json:"next"`
}

// Activity lists the entries of what the person may see: their own, and those
// that changed a record they may view. Under a scope it leaves out what touched
// anything that is not in it.
func (r *Runner) Activity(ctx context.Context, a Actor, query ActivityQuery) (Activity, error) {
	person, err := r.person(r.app, a)
	if err != nil {
		return Activity{}, r.told(err)
	}
	rd := r.reader(ctx, r.app, a, person)
	rd.scope = scopeOf(ctx)
	out, err := r.activity(rd, query)
	if err == nil {
		r.voices(rd, out)
		err = r.foreign(ctx, a, rd.run.foreign)
	}
	if err != nil {
		return Activity{}, r.told(err)
	}
	return out, nil
}

// voices marks a list that tells what others wrote, or what came of a file. Of
// accounts there is nothing to be told what to do by.
func (r *Runner) voices(rd *Reader, list Activity) {
	imports := r.reg.Imports()
	for _, e := range list.Items {
		imported := slices.ContainsFunc(imports, func(i Import) bool { return i.Apply == e.Tool })
		written := slices.ContainsFunc(e.Changes, func(c Change) bool { return !ofAccounts(c.Collection) })
		switch {
		case !written && e.Reason == "":
		case e.Actor.Person != rd.Actor.Person:
			rd.Foreign(T("voice.members"))
		case imported:
			rd.Foreign(T("voice.import"))
		}
	}
}

func (r *Runner) activity(rd *Reader, query ActivityQuery) (Activity, error) {
	limit := query.Limit
	if limit <= 0 {
		limit = 50
	}
	limit = min(limit, 200)
	before, err := query.prepare(rd)
	if err != nil {
		return Activity{}, err
	}
	undone, err := r.undone(rd.ctx)
	if err != nil {
		return Activity{}, err
	}
	out := Activity{Items: []Entry{}}
	scanned := 0
	// A page of rows may hold few that this person may see: go on until the
	// page is full or the entries are at an end.
	for {
		rows, err := r.page(rd.ctx, query, before, limit+1)
		if err != nil {
			return Activity{}, err
		}
		for _, row := range rows {
			if scanned++; len(out.Items) == limit || scanned > maxScanned {
				out.Next = strconv.FormatInt(before, 10)
				return out, r.handles(rd, out.Items)
			}
			before = row.Seq
			e, ok, err := r.entry(rd, query, row)
			if err != nil {
				return Activity{}, err
			}
			if ok && query.tells(e) {
				e.UndoneBy = undone[row.ID]
				out.Items = append(out.Items, e)
			}
		}
		if len(rows) <= limit {
			return out, r.handles(rd, out.Items)
		}
	}
}

// entry makes the public form of a row; ok is false where the person has no
// part in it. What others did on records the person may see is shown without
// its arguments: they may speak of more.
func (r *Runner) entry(rd *Reader, query ActivityQuery, row auditRow) (Entry, bool, error) {
	if in, err := r.entryInScope(rd, row); err != nil || !in {
		return Entry{}, false, err
	}
	own := row.Person == rd.Actor.Person
	nets, visible, whole, err := r.history(rd, row, query.Records)
	if err != nil {
		return Entry{}, false, err
	}
	e := Entry{
		ID: row.ID, Created: ParseStamp(row.At), Tool: row.Tool, Effect: Effect(row.Effect), State: row.State, Changes: []Change{},
		Actor:  Actor{Person: row.Person, Door: Door(row.Door), Agent: row.Agent, AgentName: row.AgentName, Model: row.Model},
		Reason: row.Reason, Proposal: row.Proposal, Undoes: parseStrings(row.Undoes),
	}
	if e.Undoes == nil {
		e.Undoes = []string{}
	}
	if err := rd.nameGone(r.app, nets, visible); err != nil {
		return Entry{}, false, err
	}
	if rd.Actor.Agent != "" && !r.agentsBusiness(rd, query.Plugins, row, nets, visible) {
		return Entry{}, false, nil
	}
	if len(query.Records) > 0 && !query.first(nets, visible) {
		return Entry{}, false, nil
	}
	for i, s := range nets {
		if !visible[i] {
			e.Unseen++
			continue
		}
		if len(e.Changes) == maxListed {
			e.More = true
			continue
		}
		ch, err := s.change(r.app)
		if err != nil {
			return Entry{}, false, err
		}
		if s.Op == OpUpdate {
			ch.Now = whole[s.key()]
		}
		if err := rd.present(&ch); err != nil {
			return Entry{}, false, err
		}
		e.Changes = append(e.Changes, ch)
	}
	if own {
		if args := jsontext.Value(row.Args); args.IsValid() {
			e.Args = args
		}
		return e, true, nil
	}
	e.Reason = ""
	if len(e.Changes) == 0 && rd.Operator() && rd.Actor.Agent == "" {
		// An operator sees that there was one, and nothing of it.
		bare := Entry{ID: e.ID, Created: e.Created, Effect: e.Effect, State: e.State, Changes: []Change{}, Undoes: []string{}, Unseen: max(e.Unseen, 1)}
		r.ofOperators(&bare, e, row)
		return bare, true, nil
	}
	return e, len(e.Changes) > 0, nil
}

// ofOperators adds who looked after the instance, and by which tool: operators
// answer to each other for it. Of an account that was deleted, that is all there
// is left. Of a question they see the figures: what it took, and no word.
func (r *Runner) ofOperators(bare *Entry, e Entry, row auditRow) {
	gone := row.Reason == reasonGone && row.Kind != string(kindErasure)
	if t := r.reg.tools[row.Tool]; gone || (t != nil && t.Operator) {
		bare.Tool, bare.Actor = e.Tool, e.Actor
	}
	if gone {
		bare.Reason, bare.Unseen = row.Reason, 0
	}
	if args := jsontext.Value(row.Args); row.Kind == string(kindQuestion) && args.IsValid() {
		bare.Tool, bare.Actor, bare.Args, bare.Unseen = e.Tool, e.Actor, args, 0
	}
}

func (r *Runner) entryVisible(rd *Reader, row auditRow) (bool, error) {
	e, ok, err := r.entry(rd, ActivityQuery{}, row)
	return ok && len(e.Changes) > 0, err
}
