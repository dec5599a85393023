package household

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// maxRateDays is how many days one call stores: what fits well into the time
// that it has. maxRateFile is how large its arguments may be: the ECB's CSV of
// all days since 1999 has about 2 MB.
const maxRateDays, maxRateFile = 800, 3 << 20

type rateImportIn struct {
	File string `json:"file" jsonschema:"text of the ECB's eurofxref CSV or XML, as it was downloaded"`
	From string `json:"from,omitzero" jsonschema:"takes no day before this one, YYYY-MM-DD"`
}

// ImportedRates is what became of a file of rates.
type ImportedRates struct {
	First      tools.Date `json:"first,omitzero" jsonschema:"of the days that were stored or changed"`
	Last       tools.Date `json:"last,omitzero"`
	Added      int        `json:"added" jsonschema:"days that are new"`
	Changed    int        `json:"changed" jsonschema:"days whose rates the file corrects"`
	Unchanged  int        `json:"unchanged" jsonschema:"days that stood so already"`
	LeftOut    int        `json:"left_out" jsonschema:"older days that were too many for one call; import the file again for them"`
	Currencies []string   `json:"currencies" jsonschema:"that have a rate on the last of these days"`
	Skipped    []string   `json:"skipped" jsonschema:"currencies that ISO 4217 does not know any more"`
}

func rateImportTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_rate_import", Title: "household.title.rate_import", Effect: tools.EffectWrite,
		Help: "Stores the ECB's euro reference rates from its file, for conversions. Only an operator may. The newest 800 days that are not there yet; again for older ones.",
	}, rateImport, tools.WithArguments(maxRateFile), textFile("file"), tools.WithCard(rateImportCard))
}

func rateImport(c *tools.Call, in rateImportIn) (ImportedRates, error) {
	if !c.Operator() {
		return ImportedRates{}, tools.Fail(tools.Forbidden, "household.error.rate_operator")
	}
	h, err := homeOf(&c.Reader)
	if err != nil {
		return ImportedRates{}, err
	}
	f, err := readRates(in.File, h.today)
	if err != nil {
		return ImportedRates{}, err
	}
	if in.From != "" {
		from, err := parseDate("from", in.From)
		if err != nil {
			return ImportedRates{}, err
		}
		f.days = slices.DeleteFunc(f.days, func(d rateDay) bool { return d.date.Before(from) })
		if len(f.days) == 0 {
			return ImportedRates{}, invalid("household.error.rate_from", from)
		}
	}
	out := ImportedRates{Currencies: []string{}, Skipped: slices.AppendSeq([]string{}, maps.Keys(f.unknown))}
	slices.Sort(out.Skipped)
	there, err := ratesOf(&c.Reader, f.days[len(f.days)-1].date, f.days[0].date)
	if err != nil {
		return ImportedRates{}, err
	}
	for _, day := range f.days {
		if err := out.take(c, day, there[day.date]); err != nil {
			return ImportedRates{}, err
		}
	}
	return out, nil
}

// ratesOf reads the records of some days.
func ratesOf(r *tools.Reader, from, to tools.Date) (map[tools.Date]*core.Record, error) {
	recs, err := r.List(rates, tools.Query{
		Filter: "date >= {:from} && date <= {:to}", Params: map[string]any{"from": from.String(), "to": to.String()},
	})
	if err != nil {
		return nil, err
	}
	by := make(map[tools.Date]*core.Record, len(recs))
	for _, rec := range recs {
		date, err := tools.ParseDate(rec.GetString("date"))
		if err != nil {
			return nil, fmt.Errorf("rates %s: %w", rec.Id, err)
		}
		by[date] = rec
	}
	return by, nil
}

// take stores a day. What the file says of a day holds, as the ECB corrects
// some; what it is silent on stays.
func (out *ImportedRates) take(c *tools.Call, day rateDay, rec *core.Record) error {
	table, changed := day.rates, true
	if rec != nil {
		var err error
		if table, changed, err = corrected(rec, day.rates); err != nil {
			return err
		}
	}
	switch {
	case !changed:
		out.Unchanged++
		return nil
	case out.Added+out.Changed == maxRateDays:
		out.LeftOut++
		return nil
	case rec == nil:
		rec = c.New(rates)
		rec.Set("date", day.date.String())
		out.Added++
	default:
		out.Changed++
	}
	rec.Set("source", ecb)
	b, err := json.Marshal(table, json.Deterministic(true))
	if err != nil {
		return err
	}
	rec.Set("rates", string(b))
	out.First = day.date
	if out.Last.IsZero() { // the newest comes first
		out.Last, out.Currencies = day.date, slices.Sorted(maps.Keys(table))
	}
	return c.Save(rec)
}

// corrected puts rates into those of a stored day.
func corrected(rec *core.Record, rates map[string]string) (table map[string]string, changed bool, err error) {
	if err := json.Unmarshal([]byte(rec.GetString("rates")), &table); err != nil {
		return nil, false, fmt.Errorf("rates of %s: %w", rec.GetString("date"), err)
	}
	for currency, rate := range rates {
		if table[currency] != rate {
			table[currency], changed = rate, true
		}
	}
	return table, changed, nil
}

func rateImportCard(_ *tools.Reader, _ rateImportIn, out ImportedRates, _ []tools.Change) (tools.Card, error) {
	card := tools.Card{Title: tools.T("household.card.rate_known", out.Unchanged)}
	switch n := out.Added + out.Changed; {
	case n == 1:
		card.Title = tools.T("household.card.rate_day", out.Last, published(ecb))
	case n > 1:
		card.Title = tools.T("household.card.rate_days", n, out.First, out.Last, published(ecb))
	}
	for _, line := range []struct {
		n   int
		key string
	}{{out.Changed, "household.card.rate_changed"}, {out.LeftOut, "household.card.rate_left"}} {
		if line.n > 0 {
			card.Lines = append(card.Lines, tools.T(line.key, line.n))
		}
	}
	if n := len(out.Currencies); n > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.rate_currencies", n, names(out.Currencies)))
	}
	if len(out.Skipped) > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.rate_skipped", len(out.Skipped), names(out.Skipped)))
	}
	return card, nil
}
