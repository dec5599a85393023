package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// chat is the protocol openai: chat completions, in the dialect of the host.
type chat struct {
	schemas *fitted // may be nil
}

func (chat) path() string { return "/chat/completions" }

func (chat) headers(h http.Header, r Request, t target, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
	if name := t.dialect().cacheHeader; name != "" && r.CacheKey != "" {
		h.Set(name, within(r.CacheKey, 0)) // whatever it is, that can stand in a header
	}
}

func (chat) decoder(t target, a *answer) decoder { return newChatDecoder(t, a) }

func (c chat) encode(r Request, t target) ([]byte, error) {
	w := chatWriter{t: t, d: t.dialect(), schemas: c.schemas}
	messages, err := w.messages(r)
	if err != nil {
		return nil, err
	}
	w.add("model", quote(t.Model))
	if !r.Whole {
		w.add("stream", jsontext.Value("true"))
		if w.d.usage {
			w.add("stream_options", jsontext.Value(`{"include_usage":true}`))
		}
	}
	w.add(w.ceiling(), strconv.AppendInt(nil, int64(cmp.Or(max(r.MaxOutput, 0), DefaultOutput)), 10))
	if w.d.store {
		w.add("store", jsontext.Value("false"))
	}
	if w.d.person != "" && r.Person != "" {
		w.add(w.d.person, quote(within(r.Person, 128)))
	}
	if w.d.cacheKey && r.CacheKey != "" {
		w.add("prompt_cache_key", quote(within(r.CacheKey, 64)))
	}
	w.effort(r)
	if w.d.fileParse && slices.ContainsFunc(r.Messages, hasPDF) {
		w.add("plugins", w.parser())
	}
	if len(r.Tools) > 0 {
		w.add("tools", w.tools(r.Tools))
		if w.d.parallel {
			w.add("parallel_tool_calls", jsontext.Value("true"))
		}
	}
	w.out = append(w.out, member{"messages", list(messages...)}) // no host is without
	return object(w.out...), nil
}

// chatWriter writes the body of one request.
type chatWriter struct {
	t       target
	d       dialect
	schemas *fitted
	out     []member
	marks   int // of what is to be cached, so far
}

// add adds a field, unless the host refused it before. Without its ceiling
// nothing would bound what an answer costs: it stays.
func (w *chatWriter) add(name string, v jsontext.Value) {
	if w.t.refuses(name) && name != "model" && name != "tools" && !isCeiling(name) {
		return
	}
	w.out = append(w.out, member{name, v})
}

func isCeiling(name string) bool { return name == "max_tokens" || name == "max_completion_tokens" }

// ceiling is the field for it, as the host has taught us.
func (w *chatWriter) ceiling() string {
	if other := w.t.Learned[w.d.ceiling]; isCeiling(other) {
		return other
	}
	return w.d.ceiling
}

// effort adds how much to think.
func (w *chatWriter) effort(r Request) {
	e := w.t.effort(r.Effort, "reasoning_effort", "reasoning")
	if w.d.noEffort && len(r.Tools) > 0 && !w.t.refuses("reasoning_effort") {
		// This host takes no tools beside thinking here, and newer models think
		// unless told not to.
		if e != none {
			e = ""
		}
		if thinksAlways(w.t.Model) {
			e = none
		}
	}
	switch {
	case e == "":
	case w.d.effort == "reasoning":
		w.add("reasoning", object(member{"effort", quote(string(e))}))
	default:
		w.add(w.d.effort, quote(string(e)))
	}
}

func (w *chatWriter) tools(all []Tool) jsontext.Value {
	out := make([]jsontext.Value, 0, len(all))
	for _, t := range byName(all) {
		out = append(out, object(
			member{"type", jsontext.Value(`"function"`)},
			member{"function", object(
				member{"name", quote(t.Name)},
				member{"description", quote(t.Description)},
				member{"parameters", w.schemas.of(t.Schema, w.d.keywords)},
			)},
		))
	}
	return list(out...)
}

// parser says how a PDF is read: by the model itself where it can, else for
// nothing. The host's own choice may cost extra for each page.
func (w *chatWriter) parser() jsontext.Value {
	engine := "cloudflare-ai"
	switch upstream, _, _ := strings.Cut(strings.TrimPrefix(w.t.Model, "~"), "/"); upstream {
	case "anthropic", "google", "openai":
		engine = "native"
	}
	return list(object(member{"id", quote("file-parser")}, member{"pdf", object(member{"engine", quote(engine)})}))
}

func hasPDF(m Message) bool {
	return slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Media == PDF })
}
