package assistant

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// answered makes the words of a question out of the answers to a form.
func (w *turn) answered(asked string) error {
	form := w.said.Form
	w.said.Form = nil
	if len(w.q.Answers) == 0 {
		return nil
	}
	if form == nil || w.q.Assistant != "" && w.q.Assistant != asked {
		return tools.Fail(tools.Expired, "assistant.error.form_over")
	}
	w.q.Scope = w.said.About // the question goes on, about the same
	var lines []string
	left := len(w.q.Answers)
	for _, fq := range form.Questions {
		a, ok := w.q.Answers[fq.ID]
		a = typed(a)
		if !ok || a == "" {
			lines = append(lines, fq.Text+" –")
			continue
		}
		left--
		if len(fq.Choices) > 0 && !slices.Contains(fq.Choices, a) && utf8.RuneCountInString(a) > 500 {
			return tools.Fail(tools.Invalid, "assistant.error.answer", fq.Text)
		}
		lines = append(lines, fq.Text+" "+a)
	}
	if left > 0 || len(lines) == 0 {
		return tools.Fail(tools.Invalid, "assistant.error.answers")
	}
	w.q.Text = strings.Join(lines, "\n")
	return nil
}
