package eval

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

// Household is one that is made up and thrown away, in which a question is asked.
type Household interface {
	// Do makes a call as a member, and gives the entries that undo takes.
	Do(ctx context.Context, by string, inv tools.Invocation) (audit []string, err error)
	Read(ctx context.Context, by, lang string, inv tools.Invocation) (jsontext.Value, error)
	// Preview says what calls would change, PreviewUndo what an undo would.
	Preview(ctx context.Context, by, lang string, invs []tools.Invocation) ([]Change, error)
	PreviewUndo(ctx context.Context, by, lang string, audit []string) ([]Change, error)
	// Decide says yes to a card, or no with a reason.
	Decide(ctx context.Context, by string, c Card, yes bool, reason string) (audit []string, err error)
	Title(tool, lang string) string
	Ask(ctx context.Context, by string, q assistant.Question, told func(assistant.Event) error) error
	// Spent is what questions have used in it.
	Spent(ctx context.Context, by string) (Spent, error)
	Close() error
}

var (
	dayMark  = regexp.MustCompile(`\{day([+-]\d+)?\}`)
	nameMark = regexp.MustCompile(`"@([^"]+)"`)
)

// dayOf is the day that a mark means.
func dayOf(mark string, today tools.Date) tools.Date {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(mark, "{day"), "}"))
	if err != nil {
		return today
	}
	return today.AddDays(n)
}

// written is a day as people write it.
func written(d tools.Date, lang string) string {
	t := time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
	switch lang {
	case "de":
		return t.Format("2.1.2006")
	case "es":
		return t.Format("2/1/2006")
	}
	return t.Format("2 January 2006")
}

// asked is the text of a question on a day.
func asked(text, lang string, today tools.Date) string {
	return dayMark.ReplaceAllStringFunc(text, func(mark string) string { return written(dayOf(mark, today), lang) })
}

// call fills in what a call of the set leaves open: days, and the ids of names.
func (q Question) call(ctx context.Context, h Household, c Call, today tools.Date) (tools.Invocation, error) {
	args := dayMark.ReplaceAllStringFunc(string(c.Args), func(mark string) string { return dayOf(mark, today).String() })
	var failed error
	args = nameMark.ReplaceAllStringFunc(args, func(mark string) string {
		id, err := q.named(ctx, h, strings.Trim(mark, `"@`))
		if err != nil {
			failed = fmt.Errorf("%s of %s: %w", mark, c.Tool, err)
		}
		return strconv.Quote(id)
	})
	if args == "" {
		return c.invocation(nil), failed
	}
	return c.invocation(jsontext.Value(args)), failed
}

func (q Question) calls(ctx context.Context, h Household, all []Call, today tools.Date) (invs []tools.Invocation, err error) {
	for _, c := range all {
		inv, err := q.call(ctx, h, c, today)
		if err != nil {
			return nil, err
		}
		invs = append(invs, inv)
	}
	return invs, nil
}

// lists is the tool that knows the ids of names.
const lists = "household_subscription_list"

// named is the id of a subscription.
func (q Question) named(ctx context.Context, h Household, name string) (string, error) {
	args, err := json.Marshal(map[string]string{"search": name, "status": "all"})
	if err != nil {
		return "", err
	}
	answer, err := h.Read(ctx, q.By, q.Language, tools.Invocation{Tool: lists, Args: args})
	if err != nil {
		return "", err
	}
	ids, err := values(answer, "items/name="+name+"/id")
	if err != nil {
		return "", err
	}
	return ids[0], nil
}
