// Package fake has hosts of models for tests: they answer by a script, in
// whichever protocol is theirs, and refuse what the real ones refuse.
package fake

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Kind is whose manners a Host has.
type Kind string

// The kinds of hosts. Local is Ollama and whatever else minds little.
const (
	Anthropic  Kind = "anthropic"
	OpenAI     Kind = "openai-responses"
	OpenAIChat Kind = "openai"
	Mistral    Kind = "mistral"
	Gemini     Kind = "gemini"
	OpenRouter Kind = "openrouter"
	XAI        Kind = "xai-responses"
	XAIChat    Kind = "xai"
	Local      Kind = "local"
)

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{Anthropic, OpenAI, OpenAIChat, Mistral, Gemini, OpenRouter, XAI, XAIChat, Local}
}

// T is what a Host needs of a test.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Cleanup(func())
}

// Key is the one that a Host lets in.
const Key = "sk-fake-0123456789abcdef"

// manner is what tells one kind from another.
type manner struct {
	protocol, base, path, model string
	judge                       func(*Host, *Asked) *refusal
	tell                        func(*Host, Turn, *Asked) teller
	dress                       func(*refusal) (int, string)
}

func (k Kind) manner() manner {
	const claude, gpt = "claude-opus-5-5", "gpt-6-sol"
	chat := func(base, model string, dress func(*refusal) (int, string)) manner {
		return manner{"openai", base, "/chat/completions", model, judgeChat, tellChat, dress}
	}
	switch k {
	case Anthropic:
		return manner{"anthropic", "https://api.anthropic.com/v1", "/messages", claude, judgeAnthropic, tellAnthropic, dressAnthropic}
	case OpenAI:
		return manner{"openai-responses", "https://api.openai.com/v1", "/responses", gpt, judgeResponses, tellResponses, dressOpenAI}
	case XAI:
		return manner{"openai-responses", "https://api.x.ai/v1", "/responses", "grok-4.7", judgeResponses, tellResponses, dressXAI}
	case OpenAIChat:
		return chat("https://api.openai.com/v1", gpt, dressOpenAI)
	case Mistral:
		return chat("https://api.mistral.ai/v1", "mistral-large-2512", dressMistral)
	case Gemini:
		return chat("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-4-argon", dressGemini)
	case OpenRouter:
		return chat("https://openrouter.ai/api/v1", "anthropic/claude-opus-5.5", dressOpenRouter)
	case XAIChat:
		return chat("https://api.x.ai/v1", "grok-4.7", dressXAI)
	}
	return chat("http://127.0.0.1:11434/v1", "qwen4:8b", dressOpenAI)
}

// Host is one that is running.
type Host struct {
	kind   Kind
	manner manner
	t      T
	server *httptest.Server

	mu      sync.Mutex
	turns   []Turn
	asked   []Asked
	given   []given
	made    int // numbers for ids
	may     bool
	missing map[string]string // fields that this one does not take, and its words
	open    int
	most    int
}

// New starts a host that answers with the turns, each once and in order, and
// stops it with the test. A request that no turn is for, or that the host
// refuses, fails the test; so does a turn that nobody asked for.
func New(t T, k Kind, turns ...Turn) *Host {
	t.Helper()
	h := &Host{kind: k, manner: k.manner(), t: t, turns: turns, missing: map[string]string{}}
	h.server = httptest.NewServer(h)
	t.Cleanup(func() {
		h.server.CloseClientConnections()
		h.server.Close()
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, turn := range h.turns {
			if turn.Times >= 0 {
				t.Errorf("%s: nobody asked for the turn %q", k, turn)
			}
		}
	})
	return h
}

// Then adds turns.
func (h *Host) Then(turns ...Turn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.turns = append(h.turns, turns...)
}

// MayRefuse lets the host refuse without failing the test.
func (h *Host) MayRefuse() *Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.may = true
	return h
}

// Without makes the host refuse a field that others of its kind know, with
// these words, or those it has for unknown ones.
func (h *Host) Without(field, words string) *Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.missing[field], h.may = words, true
	return h
}

// Protocol is how the host is spoken to, by the name that people give.
func (h *Host) Protocol() string { return h.manner.protocol }

// Base is the address that the real host has; Transport leads from it to this one.
func (h *Host) Base() string { return h.manner.base }

// Model is one that the host has.
func (h *Host) Model() string { return h.manner.model }

// Transport leads every request to the host, whichever address it has.
func (h *Host) Transport() http.RoundTripper {
	to, _ := url.Parse(h.server.URL)
	return detour{to, http.DefaultTransport}
}

type detour struct {
	to   *url.URL
	next http.RoundTripper
}

// RoundTrip sends to the fake what is meant for its host.
func (d detour) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.Host = r.URL.Host
	out.URL.Scheme, out.URL.Host = d.to.Scheme, d.to.Host
	return d.next.RoundTrip(out)
}

// Asked are the requests so far, refused ones among them.
func (h *Host) Asked() []Asked {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.asked)
}

// Last is the newest request.
func (h *Host) Last() Asked {
	asked := h.Asked()
	if len(asked) == 0 {
		return Asked{}
	}
	return asked[len(asked)-1]
}

// Most is how many requests were being answered at once.
func (h *Host) Most() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.most
}

// ServeHTTP answers.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // gave up while sending
	}
	h.mu.Lock()
	h.open++
	h.most = max(h.most, h.open)
	a := Asked{N: len(h.asked), Method: r.Method, Path: r.URL.Path, Host: r.Host, Header: r.Header.Clone(), Raw: body}
	no := h.judge(&a)
	var turn Turn
	found := false
	if no == nil {
		turn, found = h.next(a)
	} else {
		a.Refused = no.text
	}
	h.asked = append(h.asked, a)
	var out teller
	if found && turn.Status == 0 {
		out = h.manner.tell(h, turn, &a)
		h.given = append(h.given, given{a.Model, out.gave()})
	}
	may := h.may
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.open--
	}()

	w.Header().Set("Request-Id", fmt.Sprintf("req_fake%d", a.N+1))
	w.Header().Set("X-Request-Id", fmt.Sprintf("req_fake%d", a.N+1))
	switch {
	case no != nil:
		status, text := h.manner.dress(no)
		if !may {
			h.t.Errorf("%s refuses the request with %d %s\n%s", h.kind, status, text, body)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	case !found:
		h.t.Errorf("%s: no turn is for this request:\n%s", h.kind, body)
		w.WriteHeader(http.StatusTeapot)
	case turn.Status != 0:
		h.plain(w, r, turn)
	default:
		h.speak(w, r, turn, out, a.Stream)
	}
}

// next takes the first turn that is for the request.
func (h *Host) next(a Asked) (Turn, bool) {
	for i, turn := range h.turns {
		if turn.When != nil && !turn.When(a) {
			continue
		}
		switch {
		case turn.Times < 0: // as often as asked
		case turn.Times > 1:
			h.turns[i].Times--
		default:
			h.turns = slices.Delete(h.turns, i, i+1)
		}
		return turn, true
	}
	return Turn{}, false
}

// judge is what every host looks at first.
func (h *Host) judge(a *Asked) *refusal {
	want, _ := url.Parse(h.manner.base + h.manner.path)
	if a.Method != http.MethodPost || a.Path != want.Path {
		return &refusal{status: 404, kind: notFound, text: fmt.Sprintf("Invalid URL (%s %s)", a.Method, a.Path)}
	}
	if a.Host != want.Host {
		return &refusal{status: 404, kind: notFound, text: "nothing is at " + a.Host}
	}
	if no := h.key(a.Header); no != nil {
		return no
	}
	if mime, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";"); mime != "application/json" {
		return &refusal{status: 415, kind: invalid, text: "Unsupported content type: '" + mime + "'. This API method only accepts 'application/json' requests, but you specified the header 'Content-Type: " + mime + "'."}
	}
	if no := a.parse(); no != nil {
		return no
	}
	for _, field := range slices.Sorted(keys(a.Body)) {
		if words, ok := h.missing[field]; ok {
			return &refusal{kind: unknown, at: field, text: words}
		}
	}
	if h.kind == Anthropic && a.Header.Get("Anthropic-Version") != "2026-10-21" {
		if v := a.Header.Get("Anthropic-Version"); v != "" {
			return &refusal{kind: invalid, text: fmt.Sprintf("anthropic-version: %q is not a valid version", v)}
		}
		return &refusal{kind: invalid, text: "anthropic-version: header is required"}
	}
	return h.manner.judge(h, a)
}

// key lets in who has it.
func (h *Host) key(header http.Header) *refusal {
	if h.kind == Local {
		return nil
	}
	key := header.Get("X-Api-Key")
	if h.kind != Anthropic {
		key, _ = strings.CutPrefix(header.Get("Authorization"), "Bearer ")
	}
	switch key {
	case Key:
		return nil
	case "":
		return &refusal{status: 401, kind: noKey}
	}
	return &refusal{status: 401, kind: wrongKey}
}

// id makes one for a call, as the kind has them.
func (h *Host) id(prefix string) string {
	h.made++
	if h.kind == Mistral {
		return fmt.Sprintf("Call%05d", h.made)
	}
	return fmt.Sprintf("%s_fake%d", prefix, h.made)
}

// Kind is whose manners the host has.
func (h *Host) Kind() Kind { return h.kind }
