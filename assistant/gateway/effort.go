package gateway

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// none is the effort that asks for no thinking at all, where a host has a word
// for it. Nobody asks for it; what a host knows may come down to it.
const none Effort = "none"

// efforts are all that there are, from little to much.
var efforts = [...]Effort{none, Low, Medium, High, XHigh, Max}

// effort is what this host and model are to be told of how much to think: the
// most that they know and that is not above what is wanted. It is "" where
// nothing is to be sent. The names are those under which the protocol sends it,
// on which the host may have had an opinion.
func (t target) effort(want Effort, names ...string) Effort {
	for _, name := range names {
		switch v, known := t.Learned[name]; {
		case known && v == "":
			return ""
		case known && Effort(v) == none:
			return none
		case known && want != "":
			want = lesser(want, Effort(v))
		}
	}
	if want == "" {
		return ""
	}
	return highest(want, t.efforts())
}

// highest is the most of those known that is not above what is wanted; "" if
// all are.
func highest(want Effort, known []Effort) Effort {
	rank := slices.Index(efforts[:], want)
	for n := rank; n >= 0; n-- {
		if slices.Contains(known, efforts[n]) {
			return efforts[n]
		}
	}
	return ""
}

func lesser(a, b Effort) Effort {
	if n := slices.Index(efforts[:], b); n >= 0 && n < slices.Index(efforts[:], a) {
		return b
	}
	return a
}

// efforts are those that the host knows for this model.
func (t target) efforts() []Effort {
	var (
		upToHigh = efforts[1:4]
		all      = efforts[1:]
	)
	switch t.Protocol {
	case Anthropic:
		return claudeEfforts(t.Model)
	case Responses:
		if t.is("api.openai.com") {
			return gptEfforts(t.Model)
		}
		return upToHigh
	}
	switch {
	case t.is("api.openai.com"):
		return gptEfforts(t.Model)
	case t.is("openrouter.ai"):
		return all // it brings them down by itself
	case t.is("api.mistral.ai"):
		return []Effort{none, High}
	case strings.HasSuffix(t.Host, ":11434"): // Ollama's
		return []Effort{Low, Medium, High, Max}
	}
	return upToHigh
}

var (
	claude = regexp.MustCompile(`claude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:[.-](\d{1,2}))?(?:$|[^0-9])`)
	gpt    = regexp.MustCompile(`^gpt-(\d{1,2})(?:\.(\d{1,2}))?(?:$|[^0-9a-z])`)
)

// version is the number of a model's generation, such as 4.7 as 407; 0 if the
// name has none.
func version(major, minor string) int {
	a, _ := strconv.Atoi(major) // it is made of digits, or empty
	b, _ := strconv.Atoi(minor)
	return 100*a + b
}

// claudeEfforts are those of a Claude model. An unknown one gets what all of
// them know that know any.
func claudeEfforts(model string) []Effort {
	m := claude.FindStringSubmatch(model)
	if m == nil {
		if strings.Contains(model, "claude-2") || strings.Contains(model, "claude-3") || strings.Contains(model, "claude-instant") {
			return nil
		}
		return efforts[1:4]
	}
	switch v := version(m[2], m[3]); {
	case m[1] == "fable", m[1] == "mythos", v >= 500, m[1] == "opus" && v >= 407:
		return efforts[1:]
	case v == 406:
		return []Effort{Low, Medium, High, Max}
	case m[1] == "opus" && v == 405:
		return efforts[1:4]
	}
	return nil
}

// gptEfforts are those of a model of OpenAI.
func gptEfforts(model string) []Effort {
	if model == "o1-mini" || model == "o1-preview" {
		return nil
	}
	if len(model) > 1 && model[0] == 'o' && model[1] >= '0' && model[1] <= '9' {
		return efforts[1:4]
	}
	for _, plain := range []string{"gpt-3.5", "gpt-4", "chatgpt-"} { // which do not think
		if strings.HasPrefix(model, plain) {
			return nil
		}
	}
	m := gpt.FindStringSubmatch(model)
	if m == nil {
		return efforts[1:]
	}
	switch v := version(m[1], m[2]); {
	case v < 502:
		return efforts[1:4]
	case v < 506:
		return efforts[1:5]
	}
	return efforts[1:]
}

// thinksAlways says that a model of OpenAI takes tools over chat completions
// only if it is told not to think: all but the older ones, which do not know how
// to be told.
func thinksAlways(model string) bool {
	model = strings.TrimPrefix(model, "ft:")
	if m := gpt.FindStringSubmatch(model); m != nil && version(m[1], m[2]) >= 500 {
		return version(m[1], m[2]) >= 504
	}
	known := gptEfforts(model)
	return len(known) == len(efforts)-1
}
