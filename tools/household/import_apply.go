package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// Imported is what became of a reviewed list.
type Imported struct {
	File      string         `json:"file"`
	Added     []ImportedItem `json:"added" jsonschema:"new subscriptions"`
	Changed   []ImportedItem `json:"changed" jsonschema:"subscriptions that were known and got charges or a price"`
	Unchanged int            `json:"unchanged" jsonschema:"rows that brought nothing new"`
}

// ImportedItem is a subscription that an import made or added to.
type ImportedItem struct {
	Ref
	Charges   int        `json:"charges" jsonschema:"how many were added"`
	PriceFrom tools.Date `json:"price_from,omitzero" jsonschema:"the day from which a new price holds"`
	OldAmount string     `json:"old_amount,omitzero"`
	month     int64
}

func importApplyTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_import_apply", Title: "household.title.import_apply", Effect: tools.EffectWrite,
		Help: "Takes the reviewed rows of a file (the subscriptions of an import, less those that are not wanted): adds the new ones with price history and charges, and to known ones the charges and the price that are missing. What is there already is never added twice.",
	}, importApply, most("subscriptions", maxRows), tools.WithCard(importApplyCard))
}

func importApply(c *tools.Call, in tools.ImportRows) (Imported, error) {
	rows, err := parseRows(in)
	if err != nil {
		return Imported{}, err
	}
	if len(rows) == 0 {
		return Imported{}, invalid("household.error.no_rows")
	}
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Imported{}, err
	}
	found, err := chosen(&c.Reader, rows)
	if err != nil {
		return Imported{}, err
	}
	out := Imported{File: in.File, Added: []ImportedItem{}, Changed: []ImportedItem{}}
	for i, row := range rows {
		if found[i] == nil {
			item, err := row.add(c, h)
			if err != nil {
				return Imported{}, err
			}
			out.Added = append(out.Added, item)
			continue
		}
		item, err := row.addTo(c, found[i], h)
		if err != nil {
			return Imported{}, err
		}
		if item.Charges == 0 && item.PriceFrom.IsZero() {
			out.Unchanged++
		} else {
			out.Changed = append(out.Changed, item)
		}
	}
	return out, nil
}

// chosen matches the rows anew, whatever their status says: the list may be
// older than what is stored. Only a subscription that a row names is taken as
// it is.
func chosen(r *tools.Reader, rows []row) ([]*candidate, error) {
	found, err := match(r, rows)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		if row.Known == "" || row.Status == tools.StatusNew || (found[i] != nil && found[i].rec.Id == row.Known) {
			continue
		}
		rec, s, err := load(r, row.Known)
		if err != nil {
			return nil, err
		}
		if s.currency != row.Currency {
			return nil, invalid("household.error.other_currency", element("subscriptions", i, "currency"), row.Currency, rec.GetString("name"), s.currency)
		}
		if j := slices.IndexFunc(found, func(c *candidate) bool { return c != nil && c.rec.Id == rec.Id }); j >= 0 {
			found[i] = found[j] // two rows of one subscription share what is read
			continue
		}
		found[i] = &candidate{rec: rec, schedule: s}
	}
	return found, nil
}

// add makes a subscription of a row.
func (r row) add(c *tools.Call, h home) (ImportedItem, error) {
	rec := c.New(subscriptions)
	s := r.schedule()
	rec.Set("name", r.Merchant)
	rec.Set("merchant", r.Merchant)
	rec.Set("owner", c.Actor.Person)
	rec.Set("status", active)
	if err := s.save(c, rec); err != nil {
		return ImportedItem{}, err
	}
	item := ImportedItem{Ref: refOf(rec, s, h.today)}
	if !s.over(h.today) {
		item.month = s.cycle.PerMonth(s.on(h.today))
	}
	var err error
	item.Charges, err = r.charge(c, rec.Id, nil)
	return item, err
}

// addTo gives a subscription that exists what it lacks.
func (r row) addTo(c *tools.Call, known *candidate, h home) (ImportedItem, error) {
	have, err := r.stored(&c.Reader, known.rec.Id)
	if err != nil {
		return ImportedItem{}, err
	}
	var item ImportedItem
	if known.status(r) == tools.StatusPriceChanged {
		from := r.LastDate
		if n := len(r.prices); n > 0 && r.prices[n-1].amount == r.amount {
			from = r.prices[n-1].from
		}
		if from.Before(known.first) {
			from = known.first
		}
		item.OldAmount = known.money(known.on(r.LastDate)).Decimal()
		if err := known.reprice(r.amount, from, h.today); err != nil {
			return ImportedItem{}, err
		}
		if err := known.save(c, known.rec); err != nil {
			return ImportedItem{}, err
		}
		item.PriceFrom = from
	}
	item.Ref = refOf(known.rec, known.schedule, h.today)
	item.Charges, err = r.charge(c, known.rec.Id, have)
	return item, err
}

// booked tells charges of one subscription apart. Two equal ones on one day
// are two, so they are counted.
type booked struct {
	date     string
	amount   int64
	currency string
}

// stored counts the charges that a subscription has in the time of the row.
func (r row) stored(reader *tools.Reader, id string) (map[booked]int, error) {
	have := map[booked]int{}
	if len(r.evidence) == 0 {
		return have, nil
	}
	byDate := func(a, b paid) int { return a.date.Compare(b.date) }
	recs, err := reader.List(charges, tools.Query{
		Filter: "subscription = {:id} && date >= {:from} && date <= {:to}",
		Params: map[string]any{"id": id, "from": slices.MinFunc(r.evidence, byDate).date.String(), "to": slices.MaxFunc(r.evidence, byDate).date.String()},
	})
	for _, rec := range recs {
		have[booked{rec.GetString("date"), amountOf(rec), rec.GetString("currency")}]++
	}
	return have, err
}

// charge stores the charges of a row that a subscription does not have.
func (r row) charge(c *tools.Call, id string, have map[booked]int) (int, error) {
	n := 0
	for _, e := range r.evidence {
		b := booked{e.date.String(), e.amount, r.Currency}
		if have[b] > 0 {
			have[b]--
			continue
		}
		rec := c.New(charges)
		rec.Set("subscription", id)
		rec.Set("date", b.date)
		rec.Set("amount", b.amount)
		rec.Set("currency", b.currency)
		rec.Set("text", e.text)
		if err := c.Save(rec); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
