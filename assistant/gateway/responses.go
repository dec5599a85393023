package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// responses is the protocol Responses, spoken so that the host keeps nothing:
// what a model thought comes sealed, and goes back with the next request.
type responses struct{}

func (responses) path() string { return "/responses" }

func (responses) headers(h http.Header, _ Request, _ target, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func (responses) decoder(t target, a *answer) decoder { return &responsesAnswer{t: t, a: a} }

func (responses) encode(r Request, t target) ([]byte, error) {
	w := responsesWriter{t: t}
	input, err := w.input(r.Messages)
	if err != nil {
		return nil, err
	}
	openai, xai := t.is("api.openai.com"), t.is("api.x.ai")
	w.add("model", quote(t.Model))
	if !r.Whole {
		w.add("stream", jsontext.Value("true"))
	}
	w.add("store", jsontext.Value("false"))
	if !openai || gptEfforts(t.Model) != nil { // else there is no reasoning, and the host refuses to seal any
		w.add("include", jsontext.Value(`["reasoning.encrypted_content"]`))
	}
	switch system := instructions(r.System); {
	case system == "":
	case xai: // which has no field for it
		input = slices.Insert(input, 0, object(
			member{"type", quote("message")}, member{"role", quote("system")},
			member{"content", list(object(member{"type", quote("input_text")}, member{"text", quote(system)}))},
		))
	default:
		w.out = append(w.out, member{"instructions", quote(system)})
	}
	w.out = append(w.out, member{"max_output_tokens", strconv.AppendInt(nil, int64(cmp.Or(max(r.MaxOutput, 0), DefaultOutput)), 10)})
	w.effort(r.Effort, openai)
	if r.CacheKey != "" && (openai || xai) {
		w.add("prompt_cache_key", quote(within(r.CacheKey, 64)))
	}
	if field := t.personField(); field != "" && r.Person != "" {
		w.add(field, quote(within(r.Person, 128)))
	}
	if len(r.Tools) > 0 {
		w.out = append(w.out, member{"tools", w.tools(r.Tools)})
		if openai {
			w.add("parallel_tool_calls", jsontext.Value("true"))
		}
	}
	w.out = append(w.out, member{"input", list(input...)})
	return object(w.out...), nil
}

// responsesWriter writes the body of one request.
type responsesWriter struct {
	t   target
	out []member
}

// add adds a field that the host can do without, unless it refused it before.
func (w *responsesWriter) add(name string, v jsontext.Value) {
	if !w.t.refuses(name) {
		w.out = append(w.out, member{name, v})
	}
}

func instructions(blocks []Block) string {
	var texts []string
	for _, b := range blocks {
		if !blank(b.Text) {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// effort adds how much to think, and that a summary of it is to be shown.
func (w *responsesWriter) effort(want Effort, openai bool) {
	e := w.t.effort(want, "reasoning.effort", "reasoning_effort", "reasoning")
	if e == "" {
		return
	}
	how := []member{{"effort", quote(string(e))}}
	if openai && e != none && !w.t.refuses("reasoning.summary") {
		how = append(how, member{"summary", quote("auto")})
	}
	w.add("reasoning", object(how...))
}

// tools are not strict: that would change which schemas a host takes.
func (w *responsesWriter) tools(all []Tool) jsontext.Value {
	out := make([]jsontext.Value, 0, len(all))
	for _, t := range byName(all) {
		tool := []member{
			{"type", quote("function")}, {"name", quote(t.Name)}, {"description", quote(t.Description)}, {"parameters", anyKeyword.fitting(t.Schema)},
		}
		if !w.t.refuses("strict") {
			tool = append(tool, member{"strict", jsontext.Value("false")})
		}
		out = append(out, object(tool...))
	}
	return list(out...)
}
