package gateway

import (
	"iter"
	"regexp"
	"strings"
)

// inARow is how many bytes of a message and of what people said are alike by no
// chance.
const inARow = 20

// between are words in quotes, in which hosts name what they did not like.
var between = regexp.MustCompile("'([^']{3,})'|\"([^\"]{3,})\"|`([^`]{3,})`")

// hush takes out of what a host said what was said to it: some repeat the
// question that they refuse, and a log is no place for it.
func hush(message string, r Request) string {
	rows := map[string][]int{} // where each row of bytes begins
	for i := 0; i+inARow <= len(message); i++ {
		row := message[i : i+inARow]
		rows[row] = append(rows[row], i)
	}
	names := between.FindAllStringSubmatchIndex(message, -1)
	hidden := make([]bool, len(message))
	hide := func(from, to int) {
		for i := from; i < to; i++ {
			hidden[i] = true
		}
	}
	for text := range wording(r) {
		for i := 0; i+inARow <= len(text); i++ {
			for _, at := range rows[text[i:i+inARow]] {
				hide(at, at+inARow)
			}
		}
		for _, m := range names {
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 && strings.Contains(text, message[m[g]:m[g+1]]) {
					hide(m[g], m[g+1])
				}
			}
		}
	}
	var out strings.Builder
	for i := range len(message) {
		switch {
		case !hidden[i]:
			out.WriteByte(message[i])
		case i == 0 || !hidden[i-1]:
			out.WriteString(masked)
		}
	}
	return strings.ToValidUTF8(out.String(), "")
}

// wording is all that a request says in words.
func wording(r Request) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, b := range r.System {
			if !yield(b.Text) {
				return
			}
		}
		for _, m := range r.Messages {
			texts := []string{m.Text}
			for _, p := range m.Parts {
				texts = append(texts, p.Text, p.Name)
			}
			for _, c := range m.Calls {
				texts = append(texts, string(c.Args))
			}
			for _, t := range m.Results {
				texts = append(texts, t.Text)
			}
			for _, text := range texts {
				if !yield(text) {
					return
				}
			}
		}
	}
}
