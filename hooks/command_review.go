package hooks

import (
	"fmt"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// review is what a command tells a person of a review list.
type review struct {
	File          string            `json:"file"`
	Parsed        tools.Parsed      `json:"parsed"`
	Subscriptions []tools.Recurring `json:"subscriptions"`
	Skipped       []struct {
		Line   int  `json:"line"`
		Reason said `json:"reason"`
	} `json:"skipped"`
	Duplicates []struct{} `json:"duplicates"`
	Questions  []struct {
		ID      string   `json:"id"`
		Text    said     `json:"text"`
		Choices []string `json:"choices"`
	} `json:"questions"`
	Assistant struct {
		Name  string `json:"name"`
		Model string `json:"model"`
	} `json:"assistant"`
}

// tellQuestions says what the file leaves open and how to answer it.
func (a *App) tellQuestions(r review) {
	for _, q := range r.Questions {
		fmt.Fprintf(a.Stderr, "%s\n  answer with --answer %s=CHOICE, one of: %s\n", visible(q.Text.Text), q.ID, visible(strings.Join(q.Choices, ", ")))
	}
}

// tellReview says what was found, and how to take it over.
func (a *App) tellReview(r review, path, as, assistant string) error {
	p := r.Parsed
	again := ""
	if assistant != "" {
		again = " --assistant " + quoted(assistant)
		if err := a.say("Read by %s (%s): hold each row against the document\n", visible(r.Assistant.Name), visible(r.Assistant.Model)); err != nil {
			return err
		}
	}
	if p.Transactions == 0 {
		if err := a.say("%s: no bookings found\n", visible(r.File)); err != nil || len(r.Questions) > 0 {
			return err
		}
	} else if err := a.say("%s: %d bookings from %s to %s, %s %s out, %s in\n", visible(r.File), p.Transactions, p.FirstDate, p.LastDate, p.SumOut, visible(p.Currency), p.SumIn); err != nil || len(r.Questions) > 0 {
		return err
	}
	rows := make([][]string, len(r.Subscriptions))
	for i, s := range r.Subscriptions {
		next := "next " + s.NextDate.String()
		if !s.Active {
			next = "ended " + s.LastDate.String()
		}
		rows[i] = []string{"  " + s.Merchant, s.Amount + " " + s.Currency, rhythm(s.Cycle), next, fmt.Sprintf("%.0f %% sure", 100*s.Confidence), strings.ReplaceAll(string(s.Status), "_", " ")}
	}
	if err := a.table(rows); err != nil {
		return err
	}
	if assistant != "" {
		for _, s := range r.Skipped[:min(20, len(r.Skipped))] {
			where := ""
			if s.Line > 0 {
				where = fmt.Sprintf(", row %d", s.Line)
			}
			if err := a.say("Left out%s: %s\n", where, visible(s.Reason.Text)); err != nil {
				return err
			}
		}
	} else if n := len(r.Skipped) + len(r.Duplicates); n > 0 {
		if err := a.say("Left out: %d lines that are no booking, or say the same as another (--json names them)\n", n); err != nil {
			return err
		}
	}
	apply := a.applyTool()
	if len(rows) == 0 || apply == "" {
		return nil
	}
	if assistant != "" {
		if err := a.say("The next command asks the assistant once more; what it reports may differ, so look through rows.json.\n"); err != nil {
			return err
		}
	}
	return a.say("Nothing was written. To take them over, take out of rows.json what you do not want:\n  %s > rows.json\n  %s < rows.json\n",
		a.command("import "+quoted(path)+" --as "+quoted(as)+again+" --rows"), a.command("call "+apply+" - --as "+quoted(as)))
}

// applyTool is the tool that takes reviewed rows.
func (a *App) applyTool() string {
	for _, p := range a.chosen() {
		if i, ok := p.(tools.Importer); ok {
			for _, imp := range i.Imports() {
				return imp.Apply
			}
		}
	}
	return ""
}

func rhythm(c tools.Cycle) string {
	unit := map[tools.Unit]string{tools.Weeks: "week", tools.Months: "month", tools.Years: "year"}[c.Unit]
	if c.N == 1 {
		return "every " + unit
	}
	return fmt.Sprintf("every %d %ss", c.N, unit)
}
