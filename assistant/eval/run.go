package eval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

// Config of a run. Asking and Done may be nil.
type Config struct {
	Questions []Question
	Assistant string // id
	Today     tools.Date
	Fresh     func(ctx context.Context, spent Spent) (Household, error) // one in which nothing was asked yet; spent is what the run has used so far
	Asking    func(q Question, turn int, x Expected)                    // before a turn is asked
	Done      func(Result)                                              // after a question
}

// inARow is after how many questions that nobody answered a run ends.
const inARow = 3

// Run asks the questions one after the other, each in a household of its own. A
// run that ends before its time has a report all the same: by a budget, which is no
// error; as nobody answers, as something of the run itself fails, or by ctx.
func Run(ctx context.Context, c Config) (Report, error) {
	r := Report{Results: []Result{}}
	var spent Spent
	broken := 0
	for _, q := range c.Questions {
		res, err := askOne(ctx, c, q, spent)
		spent.Cost, spent.Tokens = spent.Cost+res.Cost, spent.Tokens+res.tokens
		r.Cost = spent.Cost
		r.Usage.add(res.Usage)
		if err != nil {
			r.Left = len(c.Questions) - len(r.Results)
			r.Stopped = "it was stopped"
			if ctx.Err() == nil {
				r.Stopped = err.Error()
				err = fmt.Errorf("question %d (%s): %w", q.Number, q.ID, err)
			}
			r.score()
			return r, err
		}
		if res.spent != "" {
			r.Stopped, r.Left = res.spent, len(c.Questions)-len(r.Results)
			break
		}
		r.Results = append(r.Results, res)
		if c.Done != nil {
			c.Done(res)
		}
		if broken++; res.broken == "" {
			broken = 0
		}
		if broken == min(inARow, len(c.Questions)) {
			err := fmt.Errorf("the assistant did not answer: %s", res.broken)
			r.Stopped, r.Left = err.Error(), len(c.Questions)-len(r.Results)
			r.score()
			return r, err
		}
	}
	r.score()
	return r, nil
}

// askOne asks a question, with all its turns.
func askOne(ctx context.Context, c Config, q Question, spent Spent) (res Result, err error) {
	res = Result{Number: q.Number, ID: q.ID, Kind: q.Kind, Language: q.Language, Asked: []string{}, Faults: []string{}, Tools: []string{}}
	begun := time.Now()
	h, err := c.Fresh(ctx, spent)
	if err != nil {
		return res, fmt.Errorf("make a household: %w", err)
	}
	defer func() {
		res.Took = time.Since(begun).Milliseconds()
		used, counted := h.Spent(context.WithoutCancel(ctx), q.By)
		res.Cost, res.tokens = used.Cost, used.Tokens
		err = errors.Join(err, counted, h.Close())
	}()
	var last []string // entries that undo takes back
	for _, d := range q.Setup {
		inv, err := q.call(ctx, h, d.Call, c.Today)
		if err == nil {
			last, err = h.Do(ctx, d.By, inv)
		}
		if err != nil {
			return res, fmt.Errorf("%s beforehand: %w", d.Tool, err)
		}
	}
	var before Happened
	for n, t := range q.Turns {
		x, err := q.expect(ctx, h, t, last, c.Today)
		if err != nil {
			return res, err
		}
		a := assistant.Question{
			Client: fmt.Sprintf("eval-%d-%d", q.Number, n+1), Conversation: before.Conversation, Text: x.Asked, Assistant: c.Assistant, Language: q.Language,
		}
		if t.Answer != nil {
			a.Answers = t.Answer.to(*before.Form)
		}
		if c.Asking != nil {
			c.Asking(q, n, x)
		}
		var now Happened
		if err := h.Ask(ctx, q.By, a, now.add); err != nil {
			return res, err
		}
		res.take(t, x.Asked, now)
		if now.Problem != nil && strings.HasPrefix(now.Problem.Text.Key, "budget.") {
			res.spent = now.Problem.Text.Text
			return res, nil
		}
		if res.Faults = append(res.Faults, x.faults(now)...); len(res.Faults) > 0 {
			if now.Problem != nil && now.Usage.Output == 0 {
				res.broken = now.Problem.Text.Text
			}
			return res, nil // what follows would be about something else
		}
		if t.Then != "" {
			if last, err = h.Decide(ctx, q.By, now.Cards[0], t.Then == "confirm", t.Reason); err != nil {
				return res, err
			}
		}
		before = now
	}
	res.Passed = true
	return res, nil
}
