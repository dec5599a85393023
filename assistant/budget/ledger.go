// Package budget keeps what models cost within what people may spend: who may
// use which assistant, what a call may cost at most, held before it is made,
// and what it did cost, settled after. Amounts of money are whole millionths of
// the instance's currency, days and months are those of UTC.
package budget

import (
	"embed"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// Config of a Ledger. App must be given.
type Config struct {
	App      core.App
	Currency string                         // of all amounts; USD unless given
	Cap      func() (micros int64, ok bool) // what all may spend together in a day; nil is no cap. It must not ask the database
	Told     func(person string, n Notice)  // four fifths of a limit are spent; it must not wait
	Log      *slog.Logger                   // the app's unless given
	Now      func() time.Time               // time.Now unless given
}

// Ledger holds and settles what calls of models cost.
type Ledger struct {
	c     Config
	app   core.App
	table table

	mu   sync.Mutex
	late []settlement // that the database did not take; tried again
}

// Assistant is the model that a person asks, as far as it matters here.
type Assistant struct {
	ID       string
	Host     string // with its port if that is not the usual one, lower case
	Protocol gateway.Protocol
	Model    string
	Prices   *Prices // the operator's, in the instance's currency; nil for those of the table
}

// New makes a Ledger. Recover follows, before the first call.
func New(c Config) (*Ledger, error) {
	if c.App == nil {
		return nil, errors.New("a ledger needs an app")
	}
	if c.Currency == "" {
		c.Currency = dollars
	}
	if _, ok := tools.CurrencyDigits(c.Currency); !ok {
		return nil, errors.New("a ledger needs a currency such as EUR")
	}
	if c.Cap == nil {
		c.Cap = func() (int64, bool) { return 0, false }
	}
	if c.Told == nil {
		c.Told = func(string, Notice) {}
	}
	if c.Log == nil {
		c.Log = c.App.Logger()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	t, err := readTable()
	return &Ledger{c: c, app: c.App, table: t}, err
}

// Currency is that of all amounts.
func (l *Ledger) Currency() string { return l.c.Currency }

// prices are those of a model of an assistant on a day; nil where nobody knows
// them.
func (l *Ledger) prices(a Assistant, model, day string) *Prices {
	if a.Prices != nil && model == a.Model {
		return a.Prices
	}
	if r := l.row(a.Host, model, day); r != nil {
		return &r.Prices
	}
	return nil
}

// row is that of the table, which is in dollars and changes no money.
func (l *Ledger) row(host, model, day string) *Row {
	if l.c.Currency != dollars {
		return nil
	}
	return l.table.find(host, strings.TrimSpace(model), day)
}

// PricesOf are those that count today for an assistant, and nil where nobody
// knows them: then only tokens are counted.
func (l *Ledger) PricesOf(a Assistant) *Prices { return l.prices(a, a.Model, dayOf(l.now())) }

// RowOf is the row of the table whose prices count today for an assistant; ok is
// false where others do, or nobody knows any.
func (l *Ledger) RowOf(a Assistant) (row Row, ok bool) {
	if a.Prices != nil {
		return Row{}, false
	}
	r := l.row(a.Host, a.Model, dayOf(l.now()))
	if r == nil {
		return Row{}, false
	}
	return *r, true
}

// Stale is that row if nobody has checked it for long.
func (l *Ledger) Stale(a Assistant) (row Row, stale bool) {
	row, ok := l.RowOf(a)
	return row, ok && row.stale(l.now())
}

func (l *Ledger) now() time.Time { return l.c.Now().UTC() }

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// months gives the first day of the month of a day, and of the one after.
func months(day string) (first, next string) {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day, day
	}
	t = t.AddDate(0, 0, 1-t.Day())
	return dayOf(t), dayOf(t.AddDate(0, 1, 0))
}

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS { return tools.LocalesIn(locales) }
