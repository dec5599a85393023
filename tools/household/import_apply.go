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
	Corrected int        `json:"corrected,omitzero" jsonschema:"how many that were confirmed or skipped by hand say now what the bank has booked"`
	PriceFrom tools.Date `json:"price_from,omitzero" jsonschema:"the day from which a new price holds"`
	PriceTo   tools.Date `json:"price_to,omitzero" jsonschema:"the last day of a price that is past; what holds today stays"`
	Price     string     `json:"price,omitzero" jsonschema:"the amount that holds from then on"`
	OldAmount string     `json:"old_amount,omitzero" jsonschema:"what was stored for that day before"`
	EndedOn   tools.Date `json:"ended_on,omitzero" jsonschema:"the last day of one that is over"`
	Similar   []Ref      `json:"similar,omitempty" jsonschema:"of a new one: those of the same name that exist already"`
	month     int64
}

func importApplyTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_import_apply", Title: "household.title.import_apply", Effect: tools.EffectWrite,
		Help: "Takes the reviewed rows of a file (the subscriptions of an import, less those that are not wanted): adds the new ones with price history and charges, and to known ones the charges and the price that are missing. What is there already is never added twice; where nothing is new it is refused as a conflict. An old statement adds to the past and never changes what is paid today.",
	}, importApply, most("subscriptions", maxRows), tools.WithCard(importApplyCard))
}

func importApply(c *tools.Call, in importIn) (Imported, error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Imported{}, err
	}
	rows, err := parseRows(in, h.today)
	if err != nil {
		return Imported{}, err
	}
	found, err := chosen(&c.Reader, rows)
	if err != nil {
		return Imported{}, err
	}
	names, err := namesakes(&c.Reader, h.today)
	if err != nil {
		return Imported{}, err
	}
	out := Imported{File: tidied(in.File, maxFile), Added: []ImportedItem{}, Changed: []ImportedItem{}}
	for i := range rows {
		if found[i] == nil {
			item, err := rows[i].add(c, h)
			if err != nil {
				return Imported{}, about(err, rows[i].name)
			}
			item.Similar = names[fold(item.Name)]
			out.Added = append(out.Added, item)
			continue
		}
		item, err := rows[i].addTo(c, found[i], h)
		if err != nil {
			return Imported{}, about(err, found[i].rec.GetString("name"))
		}
		if item.Charges+item.Corrected == 0 && item.PriceFrom.IsZero() {
			out.Unchanged++
		} else {
			out.Changed = append(out.Changed, item)
		}
	}
	if len(out.Added)+len(out.Changed) == 0 {
		return Imported{}, tools.Fail(tools.Conflict, "household.error.import_nothing", fileName(out.File))
	}
	return out, nil
}

// chosen matches the rows anew, whatever their status says: the list may be
// older than what is stored. Only a subscription that a row names is taken as
// it is.
func chosen(r *tools.Reader, rows []row) ([]*candidate, error) {
	all := make([]*row, len(rows))
	for i := range rows {
		all[i] = &rows[i]
	}
	found, err := match(r, all)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		if row.Known == "" || row.Status == tools.StatusNew || (found[i] != nil && found[i].rec.Id == row.Known) {
			continue
		}
		rec, s, err := load(r, element("subscriptions", i, "known"), row.Known)
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
func (r *row) add(c *tools.Call, h home) (ImportedItem, error) {
	rec := c.New(subscriptions)
	s := r.schedule()
	rec.Set("name", r.name)
	rec.Set("merchant", r.Merchant)
	rec.Set("owner", c.Actor.Person)
	rec.Set("status", active)
	if err := s.save(c, rec); err != nil {
		return ImportedItem{}, err
	}
	item := ImportedItem{Ref: refOf(rec, s, h.today)}
	if s.over(h.today) {
		item.EndedOn = s.ends
	} else {
		item.month = s.cycle.PerMonth(s.on(h.today))
	}
	var err error
	item.Charges, _, err = r.charge(c, rec.Id, nil, s)
	return item, err
}

// addTo gives a subscription that exists what it lacks.
func (r *row) addTo(c *tools.Call, known *candidate, h home) (ImportedItem, error) {
	list, err := known.charges(&c.Reader)
	if err != nil {
		return ImportedItem{}, err
	}
	var item ImportedItem
	done, err := known.reprices(&c.Reader, r, h.today)
	if err != nil {
		return ImportedItem{}, err
	}
	if !done.from.IsZero() {
		if err := known.save(c, known.rec); err != nil {
			return ImportedItem{}, err
		}
		item.PriceFrom, item.PriceTo = done.from, done.to
		item.Price, item.OldAmount = known.money(known.on(done.from)).Decimal(), known.money(done.old).Decimal()
	}
	item.Ref = refOf(known.rec, known.schedule, h.today)
	item.Charges, item.Corrected, err = r.charge(c, known.rec.Id, list, known.schedule)
	known.asked = false // another row of the same subscription reads them anew
	return item, err
}
