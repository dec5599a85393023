package hooks

import (
	"encoding/json/v2"
	"fmt"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
)

// reply is what comes of a question.
type reply struct {
	*inquirer
	begun   chan string // the turn's id, once
	pending []saidProposal
	form    assistant.Form
	ended   assistant.Ended
	answers map[string]string // to the form
}

// saidScreen is a table as a command reads it.
type saidScreen struct {
	Title   said   `json:"title"`
	Form    string `json:"form"`
	Columns []struct {
		Label string `json:"label"`
	} `json:"columns"`
	Rows [][]said `json:"rows"`
	More int      `json:"more"`
}

// event shows an event, or passes it on to a program.
func (r *reply) event(e askEvent) error {
	if r.json {
		b, err := json.Marshal(e)
		if err == nil {
			err = r.say("%s\n", spelled(b))
		}
		if err != nil {
			return failed(err)
		}
	}
	switch e.Kind {
	case assistant.EventStart:
		var v struct {
			Turn      string          `json:"turn"`
			Assistant assistant.Asked `json:"assistant"`
			Warning   said            `json:"warning"`
		}
		if err := json.Unmarshal(e.Data, &v); err != nil {
			return failed(err)
		}
		select {
		case r.begun <- v.Turn:
		default: // a turn that a killed server left begins again
		}
		r.begins(v.Assistant, v.Warning.Text)
	case assistant.EventTurn:
		if err := json.Unmarshal(e.Data, &r.ended); err != nil {
			return failed(err)
		}
	}
	if r.json {
		return nil
	}
	return r.shown(e)
}

// begins says who answers, unless it was said; that a script is none, always.
func (r *reply) begins(is assistant.Asked, warning string) {
	if r.json {
		return
	}
	who := is.Name
	switch {
	case is.Scripted:
		who += ": a script, no model; its answers are fixed"
	case is.Local:
		who += " (" + is.Model + ", on this machine)"
	default:
		who += " (" + is.Model + ")"
	}
	if who != r.who {
		fmt.Fprintln(r.Stderr, visible(who))
	}
	if r.who = who; warning != "" {
		fmt.Fprintln(r.Stderr, visible(warning))
	}
}

func (r *reply) shown(e askEvent) error {
	switch e.Kind {
	case assistant.EventDelta:
		var d assistant.Delta
		if err := json.Unmarshal(e.Data, &d); err != nil {
			return failed(err)
		}
		if r.apart { // something stands between this and what was said before
			d.Text = strings.TrimLeft(d.Text, "\n")
		}
		if d.Text == "" {
			return nil
		}
		r.broken, r.apart = !strings.HasSuffix(d.Text, "\n"), false
		return r.say("%s", visible(d.Text))
	case assistant.EventTool:
		var v struct {
			Title said                `json:"title"`
			State assistant.ToolState `json:"state"`
		}
		if err := json.Unmarshal(e.Data, &v); err != nil {
			return failed(err)
		}
		r.tool(v.Title.Text, v.State)
	case assistant.EventScreen:
		var s saidScreen
		if err := json.Unmarshal(e.Data, &s); err != nil {
			return failed(err)
		}
		return r.screen(s)
	case assistant.EventProposal:
		var p saidProposal
		if err := json.Unmarshal(e.Data, &p); err != nil {
			return failed(err)
		}
		return r.proposal(p)
	case assistant.EventForm:
		return failed(json.Unmarshal(e.Data, &r.form))
	case assistant.EventError:
		var p struct {
			Text said `json:"text"`
		}
		if err := json.Unmarshal(e.Data, &p); err != nil {
			return failed(err)
		}
		r.newline()
		fmt.Fprintln(r.Stderr, visible(p.Text.Text))
	}
	return nil
}

// newline ends a line that the answer has begun.
func (r *reply) newline() {
	r.apart = true
	if r.broken {
		r.broken = false
		_ = r.say("\n") // what cannot be written was not before
	}
}

func (r *reply) tool(title string, state assistant.ToolState) {
	switch state {
	case assistant.Started:
		r.newline()
		fmt.Fprintf(r.Stderr, "· %s\n", visible(title))
	case assistant.Failed:
		r.newline()
		fmt.Fprintf(r.Stderr, "· %s: that did not work\n", visible(title))
	}
}

// screen writes a table; what is a total stands below its name.
func (r *reply) screen(s saidScreen) error {
	r.newline()
	if err := r.say("%s\n", visible(s.Title.Text)); err != nil {
		return err
	}
	flat := strings.NewReplacer("\n", " ", "\t", " ")
	var rows [][]string
	head := []string{}
	for _, c := range s.Columns {
		head = append(head, flat.Replace(c.Label))
	}
	for _, row := range s.Rows {
		var cells []string
		for i, cell := range row {
			if s.Form == "total" && i < len(head) {
				rows = append(rows, []string{"  " + head[i], flat.Replace(cell.Text)})
			}
			cells = append(cells, flat.Replace(cell.Text))
		}
		if s.Form != "total" && len(cells) > 0 {
			cells[0] = "  " + cells[0]
			rows = append(rows, cells)
		}
	}
	if s.Form != "total" && len(head) > 0 {
		head[0] = "  " + head[0]
		rows = slices.Insert(rows, 0, head)
	}
	if err := r.table(rows); err != nil || s.More == 0 {
		return err
	}
	return r.say("  and %d more\n", s.More)
}

// proposal shows what was done without a nod, and keeps what waits for one until
// the answer is whole.
func (r *reply) proposal(p saidProposal) error {
	if p.Digest != "" {
		r.pending = slices.DeleteFunc(r.pending, func(o saidProposal) bool { return o.ID == p.ID })
		r.pending = append(r.pending, p)
		return nil
	}
	r.newline()
	if err := r.say("%s\n", p.card()); err != nil {
		return err
	}
	return r.sayDecided(p, r.as)
}

// failed is an error where the answer is none, or not whole; the reason was said.
func (r *reply) failed() error {
	switch r.ended.Finish {
	case assistant.Answered, assistant.AskedBack:
		return nil
	}
	return errSaid
}
