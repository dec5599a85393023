package document

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/reader"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
)

// Format is what a review says that a model read.
const Format = "document"

// Asked is an assistant as a person asks it: a roster.Asked.
type Asked struct {
	roster.Assistant
	gateway.Provider
}

// Read has an assistant read a file that its person shows it, and says what is new
// in it, as reader.Desk does without one. It writes nothing. Used is what it read,
// and which model answered.
func Read(ctx context.Context, desk *reader.Desk, by tools.Actor, a Asked, file tools.Upload) (review tools.Review, used Found, err error) {
	parts, err := Parts(ctx, a.Assistant, File{file, true})
	if err != nil {
		return tools.Review{}, Found{}, err
	}
	_, today, err := desk.Home(ctx, by)
	if err != nil {
		return tools.Review{}, Found{}, err
	}
	found, err := Extract(ctx, a.Provider, today, parts...)
	if err != nil {
		return tools.Review{}, found, err
	}
	if isCut(file) {
		found.leaveOut(0, "document.skip.rest", maxText)
	}
	review = found.review(file)
	err = desk.Match(ctx, by, &review)
	return review, found, err
}

// review is what was found in the shape that every import has.
func (f Found) review(file tools.Upload) tools.Review {
	sum := sha256.Sum256(file.Data)
	r := tools.Review{
		File: upload.CleanName(file.Name), Format: Format, Fingerprint: hex.EncodeToString(sum[:]),
		Subscriptions: append([]tools.Recurring{}, f.Rows...), Skipped: append([]tools.Skipped{}, f.Skipped...),
		Duplicates: []tools.Duplicate{}, Questions: []tools.Question{},
	}
	r.Parsed = parsed(f.Rows)
	return r
}

// parsed sums up the payments that were shown, if one currency has them all.
func parsed(rows []tools.Recurring) tools.Parsed {
	var p tools.Parsed
	var out int64
	mixed := false
	for _, row := range rows {
		mixed = mixed || p.Currency != "" && p.Currency != row.Currency
		p.Currency = row.Currency
		for _, e := range row.Evidence {
			p.Transactions++
			if p.FirstDate.IsZero() || e.Date.Before(p.FirstDate) {
				p.FirstDate = e.Date
			}
			if e.Date.After(p.LastDate) {
				p.LastDate = e.Date
			}
			if m, err := tools.ParseMoney(e.Amount, row.Currency); err == nil {
				out += m.Minor
			}
		}
	}
	if mixed {
		p.Currency = ""
	}
	if p.Currency != "" {
		p.SumOut, p.SumIn = tools.Money{Minor: out, Currency: p.Currency}.Decimal(), tools.Money{Currency: p.Currency}.Decimal()
	}
	return p
}
