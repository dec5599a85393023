package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"net/http"
	"strconv"
	"strings"
)

// anthropic is the protocol Messages. No field for sampling is ever sent: the
// current version refuses them.
type anthropic struct{}

// The versions of the protocol: the current one, and the one that other hosts
// know.
const (
	anthropicVersion = "2026-10-21"
	anthropicCommon  = "2023-06-01"
)

func (anthropic) path() string { return "/messages" }

func (anthropic) headers(h http.Header, _ Request, t target, key string) {
	version := anthropicCommon
	if t.isAnthropic() {
		version = anthropicVersion
	}
	h.Set("Anthropic-Version", version)
	switch {
	case key == "":
	case t.is("openrouter.ai"): // which knows only its own header
		h.Set("Authorization", "Bearer "+key)
	default:
		h.Set("X-Api-Key", key)
	}
}

func (anthropic) decoder(t target, a *answer) decoder { return &anthropicAnswer{t: t, a: a} }

func (anthropic) encode(r Request, t target) ([]byte, error) {
	w := anthropicWriter{t: t}
	w.mark(r)
	messages, err := w.messages(r.Messages)
	if err != nil {
		return nil, err
	}
	w.add("model", quote(t.Model))
	w.add("max_tokens", strconv.AppendInt(nil, int64(cmp.Or(max(r.MaxOutput, 0), DefaultOutput)), 10))
	if !r.Whole {
		w.add("stream", jsontext.Value("true"))
	}
	if r.Person != "" && !t.refuses("metadata") {
		w.add("metadata", object(member{"user_id", quote(within(r.Person, 256))}))
	}
	w.effort(r.Effort)
	if len(r.Tools) > 0 {
		w.add("tools", w.tools(r.Tools))
	}
	if system := w.system(r.System); len(system) > 0 {
		w.add("system", list(system...))
	}
	w.add("messages", list(messages...))
	return object(w.out...), nil
}

// anthropicWriter writes the body of one request.
type anthropicWriter struct {
	t      target
	out    []member
	blocks map[int]bool // of the instructions, at whose end requests stay the same
	turns  map[int]bool // messages of which the same is true
}

func (w *anthropicWriter) add(name string, v jsontext.Value) { w.out = append(w.out, member{name, v}) }

// mark chooses what is marked to be cached, where more than the four that a host
// takes are wanted: the later marks, which cover the earlier, but always one of
// each sort.
func (w *anthropicWriter) mark(r Request) {
	if w.t.refuses("cache_control") {
		return
	}
	var blocks, turns []int
	for n, b := range r.System {
		if b.Cache && !blank(b.Text) {
			blocks = append(blocks, n)
		}
	}
	for n, m := range r.Messages {
		if m.Cache {
			turns = append(turns, n)
		}
	}
	most := mostMarks - min(len(turns), 1)
	w.blocks = set(blocks[max(0, len(blocks)-most):])
	w.turns = set(turns[max(0, len(turns)-(mostMarks-len(w.blocks))):])
}

func set(of []int) map[int]bool {
	s := make(map[int]bool, len(of))
	for _, n := range of {
		s[n] = true
	}
	return s
}

// blank says that a text has nothing in it, which is refused as one.
func blank(text string) bool { return strings.TrimSpace(text) == "" }

func (w *anthropicWriter) system(blocks []Block) (out []jsontext.Value) {
	for n, b := range blocks {
		if blank(b.Text) {
			continue
		}
		v := object(member{"type", quote("text")}, member{"text", quote(b.Text)})
		if w.blocks[n] {
			v = marked(v)
		}
		out = append(out, v)
	}
	return out
}

// marked says of a block that requests stay the same up to its end.
func marked(v jsontext.Value) jsontext.Value {
	return with(v, member{"cache_control", jsontext.Value(`{"type":"ephemeral"}`)})
}

// effort adds how much to think. Models that think as they see fit are asked to
// show it, too.
func (w *anthropicWriter) effort(want Effort) {
	if !strings.Contains(w.t.Model, "claude") {
		return // other models know nothing of it
	}
	e := w.t.effort(want, "effort", "output_config", "output_config.effort")
	if e == "" || e == none {
		return
	}
	if thinksFreely(w.t.Model) && !w.t.refuses("thinking") {
		w.add("thinking", jsontext.Value(`{"type":"adaptive","display":"summarized"}`))
	}
	w.add("output_config", object(member{"effort", quote(string(e))}))
}

// thinksFreely says that a Claude model knows adaptive thinking. Those before
// think only within a number of tokens.
func thinksFreely(model string) bool {
	m := claude.FindStringSubmatch(model)
	return m == nil || m[1] == "fable" || m[1] == "mythos" || version(m[2], m[3]) >= 406
}

func (w *anthropicWriter) tools(all []Tool) jsontext.Value {
	out := make([]jsontext.Value, 0, len(all))
	for _, t := range byName(all) {
		tool := []member{{"name", quote(t.Name)}}
		if t.Description != "" {
			tool = append(tool, member{"description", quote(t.Description)})
		}
		out = append(out, object(append(tool, member{"input_schema", anyKeyword.fitting(t.Schema)})...))
	}
	return list(out...)
}

// isAnthropic says that the host is the one whose protocol it is.
func (t target) isAnthropic() bool { return t.is("api.anthropic.com") }
