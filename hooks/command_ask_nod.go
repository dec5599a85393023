package hooks

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
)

// waits has the person answer what waits for them; where there is nobody it says
// how that is done.
func (r *reply) waits(ctx context.Context) error {
	for _, p := range r.pending {
		if err := r.nod(ctx, p); err != nil {
			return err
		}
	}
	if len(r.form.Questions) == 0 {
		return nil
	}
	if !r.Terminal() {
		return r.unanswered()
	}
	for _, q := range r.form.Questions {
		answer, err := r.answer(ctx, q)
		if err != nil {
			return err
		}
		if answer != "" {
			if r.answers == nil {
				r.answers = map[string]string{}
			}
			r.answers[q.ID] = answer
		}
	}
	return nil
}

// nod shows a card and asks whether it is to be done. Only a clear yes is one,
// for what destroys or sends the whole word; a no is told to the assistant, with
// what the person says beside it; anything else leaves it as it is.
func (r *reply) nod(ctx context.Context, p saidProposal) error {
	later := fmt.Sprintf("It waits:\n  %s\n", r.command("proposal confirm "+p.ID+" --as "+quoted(r.as)))
	if !r.Terminal() {
		return r.say("%s\n%s", p.card(), later)
	}
	prompt, agreed := "confirm? [y/N] ", isYes
	if p.Card.Grave {
		prompt, agreed = "This destroys or sends. confirm? [yes/N] ", isWholeYes
	}
	line, _, err := r.line(ctx, fmt.Sprintf("%s\n%s", p.card(), prompt))
	if err != nil {
		fmt.Fprint(r.Stderr, later)
		return err
	}
	word, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
	word = strings.ToLower(strings.Trim(word, ",.:"))
	var b []byte
	switch {
	case agreed(word) && reason == "":
		b, err = r.decided(ctx, r.as, p.ID, "/confirm", map[string]any{"digest": p.Digest})
	case isNo(word):
		b, err = r.decided(ctx, r.as, p.ID, "/discard", map[string]any{"reason": strings.TrimSpace(reason)})
	default:
		fmt.Fprint(r.Stderr, later)
		return nil
	}
	if errors.Is(err, errSaid) && ctx.Err() == nil {
		return nil // it was said what stands now, and how to confirm that
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return failed(err)
	}
	return r.sayDecided(p, r.as)
}

// answer asks one question of a form. A choice is named by its number, or in any
// words; an empty line leaves it open.
func (r *reply) answer(ctx context.Context, q assistant.FormQuestion) (string, error) {
	line, _, err := r.line(ctx, withChoices(q)+"? ")
	line = strings.TrimSpace(line)
	if n, bad := strconv.Atoi(line); bad == nil && n >= 1 && n <= len(q.Choices) {
		line = q.Choices[n-1]
	}
	return line, err
}

// withChoices is a question with its choices, as a terminal shows it.
func withChoices(q assistant.FormQuestion) string {
	s := q.Text + "\n"
	for n, choice := range q.Choices {
		s += fmt.Sprintf("  %d  %s\n", n+1, choice)
	}
	return visible(s)
}

// unanswered says what is asked, and how to answer it.
func (r *reply) unanswered() error {
	line := "ask --conversation " + r.ended.Conversation
	for _, q := range r.form.Questions {
		if err := r.say("%s: %s", q.ID, withChoices(q)); err != nil {
			return err
		}
		line += " --answer " + q.ID + "=…"
	}
	return r.say("Answer it:\n  %s\n", r.command(line+" --as "+quoted(r.as)))
}
