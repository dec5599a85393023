package eval

import (
	"encoding/json/v2"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// follow gives what stands at a path of an answer: several values where it has a *.
func follow(v any, path string) ([]any, error) {
	at := []any{v}
	for step := range strings.SplitSeq(path, "/") {
		var next []any
		for _, v := range at {
			next = append(next, one(v, step)...)
		}
		at = next
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("nothing is at %s", path)
	}
	return at, nil
}

// one takes a step.
func one(v any, step string) (out []any) {
	switch x := v.(type) {
	case map[string]any:
		if w, ok := x[step]; ok {
			return []any{w}
		}
	case []any:
		if n, err := strconv.Atoi(step); err == nil {
			if n < len(x) {
				return x[n : n+1]
			}
			return nil
		}
		if step == "*" {
			return x
		}
		name, want, _ := strings.Cut(step, "=")
		for _, w := range x {
			if m, ok := w.(map[string]any); ok && m[name] == want {
				return []any{w}
			}
		}
	}
	return nil
}

// values are those of a figure, as texts.
func values(answer []byte, path string) (out []string, err error) {
	var v any
	if err := json.Unmarshal(answer, &v); err != nil {
		return nil, err
	}
	at, err := follow(v, path)
	if err != nil {
		return nil, err
	}
	for _, v := range at {
		s := fmt.Sprint(v)
		switch v.(type) {
		case string, float64, bool:
			out = append(out, s)
		default:
			return nil, fmt.Errorf("what is at %s is no figure", path)
		}
	}
	return out, nil
}

var (
	decimal = regexp.MustCompile(`^(\d+)\.(\d+)$`)
	whole   = regexp.MustCompile(`^\d+$`)
)

// told is what people and models write for a value, in whatever format.
func told(value string) *regexp.Regexp {
	if m := decimal.FindStringSubmatch(value); m != nil {
		cents := `[.,]` + m[2]
		if strings.Trim(m[2], "0") == "" {
			cents = `(?:[.,]` + m[2] + `|[.,]-{1,2}|[.,]–)?`
		}
		return edged(grouped(m[1]) + cents)
	}
	if whole.MatchString(value) {
		return edged(grouped(value))
	}
	if d, err := tools.ParseDate(value); err == nil {
		return day(d)
	}
	return regexp.MustCompile(`(?i)` + regexp.QuoteMeta(value))
}

// edged is a number that is not a piece of another.
func edged(number string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\d.,]|[^\d][.,])` + number + `(?:$|[^\d.,]|[.,](?:$|\D))`)
}

// grouped are digits, maybe in groups of three.
func grouped(digits string) string {
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(`[.,'’  \x{202f}]?`)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// months begin so in English, German and Spanish.
func months(m time.Month) string {
	return [...]string{
		"jan|jän|ene", "feb", "mar|mär", "apr|abr", "may|mai", "jun", "jul", "aug|ago", "sep", "oct|okt", "nov", "dec|dez|dic",
	}[m-1]
}

func day(d tools.Date) *regexp.Regexp {
	name := `(?:` + months(d.Month) + `)\pL*\.?`
	return regexp.MustCompile(fmt.Sprintf(
		`(?i)%[1]s|\b0?%[2]d\.\s?0?%[3]d\b|\b0?%[2]d/0?%[3]d\b|\b0?%[3]d/0?%[2]d\b|\b0?%[2]d(?:\.|st|nd|rd|th)?(?: of| de)?\s+%[4]s|%[4]s\s+0?%[2]d(?:st|nd|rd|th)?\b`,
		d.String(), d.Day, int(d.Month), name,
	))
}
