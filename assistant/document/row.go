package document

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// What a reported row may hold.
const (
	maxRows     = 200
	maxEvidence = 24
	maxMerchant = 120 // characters
	maxLine     = 200
	maxMinor    = 1_000_000_000_00 // of an amount
	firstYear   = 1980
	// Banks date charges a month ahead at most; what comes next, two cycles of
	// the longest.
	maxAhead = 31
	maxNext  = 2 * 366
)

// unsure is what a row counts for that a model read: below what is ticked without
// having been looked at.
const unsure = 0.5

// cycles are those that a statement is read for.
func cycles() []string { return []string{"P1W", "P2W", "P4W", "P1M", "P2M", "P3M", "P6M", "P1Y"} }

// reported is a row as a model writes it. Numbers are taken for amounts, too.
type reported struct {
	Merchant  string         `json:"merchant"`
	Amount    jsontext.Value `json:"amount"`
	Currency  string         `json:"currency"`
	Cycle     string         `json:"cycle"`
	FirstDate string         `json:"first_date"`
	NextDate  string         `json:"next_date"`
	Evidence  []struct {
		Date   string         `json:"date"`
		Amount jsontext.Value `json:"amount"`
		Text   string         `json:"text"`
	} `json:"evidence"`
}

// check takes a row only if all of it can be what a document shows. Reasons name
// the field and repeat nothing: what it held may be anything.
func check(raw jsontext.Value, today tools.Date) (tools.Recurring, *tools.Error) {
	var in reported
	if err := json.Unmarshal(raw, &in); err != nil {
		return tools.Recurring{}, rejected("document.skip.shape")
	}
	out := tools.Recurring{Merchant: in.Merchant, Currency: in.Currency, Confidence: unsure, Status: tools.StatusNew, Prices: []tools.Price{}, Evidence: []tools.Evidence{}}
	if !isLine(in.Merchant, maxMerchant) {
		return out, rejected("document.skip.merchant", maxMerchant)
	}
	if _, known := tools.CurrencyDigits(in.Currency); !known {
		return out, rejected("document.skip.currency")
	}
	var ok bool
	if out.Amount, ok = amount(in.Amount, in.Currency); !ok {
		return out, rejected("document.skip.amount")
	}
	if !slices.Contains(cycles(), in.Cycle) {
		return out, rejected("document.skip.cycle")
	}
	out.Cycle, _ = tools.ParseCycle(in.Cycle)
	if out.FirstDate, ok = day(in.FirstDate, today.AddDays(maxAhead)); !ok {
		return out, rejected("document.skip.first_date")
	}
	if out.LastDate = out.FirstDate; len(in.Evidence) > maxEvidence {
		return out, rejected("document.skip.evidence_many", maxEvidence)
	}
	for i, e := range in.Evidence {
		ev := tools.Evidence{Line: i + 1, Text: e.Text}
		if ev.Date, ok = day(e.Date, today.AddDays(maxAhead)); !ok {
			return out, rejected("document.skip.evidence_date", i+1)
		}
		if ev.Amount, ok = amount(e.Amount, in.Currency); !ok {
			return out, rejected("document.skip.evidence_amount", i+1)
		}
		if !isLine(e.Text, maxLine) {
			return out, rejected("document.skip.evidence_text", i+1, maxLine)
		}
		if ev.Date.Before(out.FirstDate) {
			out.FirstDate = ev.Date
		}
		if ev.Date.After(out.LastDate) {
			out.LastDate = ev.Date
		}
		out.Evidence = append(out.Evidence, ev)
	}
	out.Occurrences = len(out.Evidence)
	_, out.NextDate = out.Cycle.Next(out.FirstDate, 0, out.LastDate.AddDays(1))
	if in.NextDate != "" {
		next, ok := day(in.NextDate, today.AddDays(maxNext))
		if !ok {
			return out, rejected("document.skip.next_date")
		}
		if next.After(out.LastDate) {
			out.NextDate = next
		}
	}
	// As the household asks it of a statement's end.
	late := out.NextDate.DaysSince(out.LastDate)/2 + 7
	out.Active = !out.NextDate.AddDays(late).Before(today)
	return out, nil
}

func rejected(key string, args ...any) *tools.Error { return tools.Fail(tools.Invalid, key, args...) }

// isLine says that it is one line of what can be seen, and not too long. Nothing is
// taken away: a text that has more in it is not what is printed.
func isLine(s string, most int) bool {
	if strings.TrimSpace(s) == "" || !utf8.ValidString(s) || utf8.RuneCountInString(s) > most {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool {
		return r == utf8.RuneError || tools.Unseen(r)
	}) < 0
}

var decimal = regexp.MustCompile(`^[0-9]{1,13}(\.[0-9]{1,4})?$`)

// amount is a decimal, as text or number, that is more than nothing.
func amount(raw jsontext.Value, currency string) (string, bool) {
	s := strings.TrimSpace(string(raw))
	if raw.Kind() == '"' {
		if json.Unmarshal(raw, &s) != nil {
			return "", false
		}
	}
	if s = strings.TrimPrefix(s, "-"); !decimal.MatchString(s) { // the money went out
		return "", false
	}
	m, err := tools.ParseMoney(s, currency)
	if err != nil || m.Minor <= 0 || m.Minor > maxMinor {
		return "", false
	}
	return m.Decimal(), true
}

// day is one in the calendar, from years that can be meant up to a last one.
func day(s string, last tools.Date) (tools.Date, bool) {
	d, err := tools.ParseDate(s)
	return d, err == nil && !d.IsZero() && d.Year >= firstYear && !d.After(last)
}
