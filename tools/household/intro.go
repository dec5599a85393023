package household

// introduce puts an introductory price into the schedule: it holds through a
// day, and after it the amount does. It is kept as two dated prices.
func (s *schedule) introduce(name, amount, until string) error {
	switch {
	case amount == "" && until == "":
		return nil
	case amount == "":
		return invalid("household.error.intro", "intro_until", name, "intro_amount")
	case until == "":
		return invalid("household.error.intro", "intro_amount", name, "intro_until")
	}
	minor, err := parseAmount("intro_amount", amount, s.currency)
	if err != nil {
		return err
	}
	last, err := parseDate("intro_until", until)
	if err != nil {
		return err
	}
	begins := s.first
	if first, ok := s.next(s.first); ok {
		begins = first // a price that is over before anything is charged was meant otherwise
	}
	switch {
	case last.Before(begins):
		return invalid("household.error.intro_early", name, last, begins)
	case !last.Before(lastDate()):
		return invalid("household.error.date", "intro_until", short(until), firstYear, lastYear)
	}
	then := last.AddDays(1)
	switch len(s.prices) {
	case 0:
		s.prices = []price{{from: s.first, amount: minor, intro: true, changed: true}, {from: then, amount: s.amount, changed: true}}
	case 2: // such a price, or one that could have been
		s.prices[0].amount, s.prices[0].intro, s.prices[0].changed = minor, true, true
		s.prices[1].from, s.prices[1].amount, s.prices[1].changed = then, s.amount, true
	default:
		return invalid("household.error.intro_prices", name)
	}
	return nil
}
