package gateway

import (
	"net"
	"strings"
)

// dialect is how a host wants chat completions to be asked for.
type dialect struct {
	ceiling     string // the field that bounds the answer
	usage       bool   // it has to be asked for, to be told in a stream
	store       bool   // it keeps what it is asked unless told not to
	parallel    bool   // it knows the field for calls side by side
	person      string // its field for an opaque id of whoever asks; "" if it has none
	cacheKey    bool   // it knows prompt_cache_key
	cacheHeader string // or has a header for the same: what begins alike goes to one machine
	marks       bool   // what is to be cached is marked in the messages
	effort      string // the field, reasoning_effort or reasoning
	noEffort    bool   // with tools it takes no effort
	pdf         pdfForm
	keywords    keywords
	nine        bool // it takes only ids of nine letters and digits
	answered    bool // what tools said is always followed by the model
	blank       bool // a message that only calls has empty content, not null
	thoughts    bool // what was thought goes back within a question
	outside     bool // thinking may be missing in the count of the answer
	cost        bool // it says what a request cost
	fileParse   bool // it reads files by a plugin, some of which cost extra
}

// pdfForm is how a host takes a PDF.
type pdfForm int

const (
	pdfNever pdfForm = iota
	pdfFile
	pdfDocument
)

// dialect is the one of a host: of the five that are known by their address, or
// the common one of everything else.
func (t target) dialect() dialect {
	switch {
	case t.is("api.openai.com"):
		return dialect{
			ceiling: "max_completion_tokens", usage: true, store: true, parallel: true, person: "safety_identifier", cacheKey: true,
			effort: "reasoning_effort", noEffort: true, pdf: pdfFile, keywords: anyKeyword,
		}
	case t.is("api.mistral.ai"):
		return dialect{
			ceiling: "max_tokens", parallel: true, cacheKey: true, effort: "reasoning_effort", pdf: pdfDocument, keywords: anyKeyword,
			nine: true, answered: true, blank: true, // its thinking stands in the content
		}
	case t.is("generativelanguage.googleapis.com"):
		return dialect{
			ceiling: "max_tokens", usage: true, effort: "reasoning_effort", keywords: geminiKeywords, outside: true,
		}
	case t.is("openrouter.ai"):
		d := dialect{
			ceiling: "max_tokens", parallel: true, person: "user", effort: "reasoning", pdf: pdfFile, keywords: anyKeyword,
			thoughts: true, cost: true, fileParse: true,
		}
		switch upstream, _, _ := strings.Cut(strings.TrimPrefix(t.Model, "~"), "/"); upstream {
		case "anthropic":
			d.marks = true
		case "google":
			d.marks, d.keywords = true, geminiKeywords
		}
		return d
	case t.is("api.x.ai"):
		return dialect{
			ceiling: "max_completion_tokens", usage: true, person: "user", cacheHeader: "X-Grok-Conv-Id", effort: "reasoning_effort", keywords: anyKeyword,
		}
	}
	return dialect{
		ceiling: "max_tokens", usage: true, effort: "reasoning_effort", keywords: grammarKeywords, blank: true, thoughts: true,
	}
}

// is says that the host is this one, or below it.
func (t target) is(name string) bool { return IsHost(t.Host, name) }

// IsHost says that a host, with or without its port, has this name or one below
// it: never that its name, or a path, only contains it.
func IsHost(host, name string) bool {
	if bare, _, err := net.SplitHostPort(host); err == nil {
		host = bare
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return host == name || strings.HasSuffix(host, "."+name)
}
