package household

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// ecb is the source of all rates that a tool stores.
const ecb = "ECB"

// published names a source of rates, as the reader's language does.
func published(source string) any {
	if source == ecb {
		return tools.T("household.rate.ecb")
	}
	return source
}

// rateYear is the first in which there was a euro.
const rateYear = 1999

// codes are written as three capital letters.
var codes = regexp.MustCompile(`^[A-Z]{3}$`)

// rateDay is what a file says of one day.
type rateDay struct {
	date  tools.Date
	rates map[string]string // by currency, as they are stored
}

// rateFile is what was read of a file of the European Central Bank's reference
// rates. It takes one day after the other and refuses what cannot be.
type rateFile struct {
	today   tools.Date
	days    []rateDay
	lines   map[tools.Date]int // where a day stands
	unknown map[string]bool    // currencies that ISO 4217 does not know any more
}

// readRates reads one of the ECB's files, which its content tells: the CSV of
// a day or of many, or the XML. Days are given newest first.
func readRates(text string, today tools.Date) (*rateFile, error) {
	f := &rateFile{today: today, lines: map[tools.Date]int{}, unknown: map[string]bool{}}
	text = strings.TrimPrefix(text, "\ufeff")
	head := strings.ToLower(strings.TrimSpace(text[:min(len(text), 1000)]))
	var err error
	switch {
	case head == "":
		return nil, invalid("household.error.empty", "file")
	case strings.HasPrefix(head, "pk\x03\x04"):
		return nil, invalid("household.error.rate_zip")
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"):
		return nil, invalid("household.error.rate_page")
	case strings.HasPrefix(head, "<"):
		err = f.readXML(text)
	case strings.HasPrefix(head, "date"):
		err = f.readCSV(text)
	default:
		return nil, invalid("household.error.rate_file")
	}
	if err != nil {
		return nil, err
	}
	f.days = slices.DeleteFunc(f.days, func(d rateDay) bool { return len(d.rates) == 0 })
	if len(f.days) == 0 {
		return nil, invalid("household.error.rate_none")
	}
	slices.SortFunc(f.days, func(a, b rateDay) int { return b.date.Compare(a.date) })
	return f, nil
}

// begin takes a day, which has its rates put into it.
func (f *rateFile) begin(line int, text string) error {
	text = strings.TrimSpace(text)
	date, err := tools.ParseDate(text)
	if err != nil || date.IsZero() {
		t, err := time.Parse("2 January 2006", text) // as the file of one day has it
		if err != nil {
			return invalid("household.error.rate_date", line, short(text))
		}
		date = tools.DateOf(t)
	}
	if date.Year < rateYear || date.After(f.today) {
		return invalid("household.error.rate_range", line, date, rateYear, f.today)
	}
	if at, twice := f.lines[date]; twice {
		return invalid("household.error.rate_twice", line, date, at)
	}
	f.lines[date] = line
	f.days = append(f.days, rateDay{date, map[string]string{}})
	return nil
}

// known says that a code is one of a currency; one of a currency that is no
// more is noted and left out.
func (f *rateFile) known(line int, code string) (bool, error) {
	if !codes.MatchString(code) || code == euro {
		return false, invalid("household.error.rate_currency", line, short(code))
	}
	_, ok := tools.CurrencyDigits(code)
	if !ok {
		f.unknown[code] = true
	}
	return ok, nil
}

// put puts a rate into the day that was begun last.
func (f *rateFile) put(line int, currency, text string) error {
	if text = strings.TrimSpace(text); text == "" || text == "N/A" {
		return nil // there was none that day
	}
	rate, err := plainRate(text)
	if err != nil {
		return invalid("household.error.rate_value", line, currency, short(text))
	}
	day := f.days[len(f.days)-1]
	if _, twice := day.rates[currency]; twice {
		return invalid("household.error.rate_currency_twice", line, currency)
	}
	day.rates[currency] = rate
	return nil
}
