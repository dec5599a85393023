package household

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
)

// readCSV reads "Date,USD,JPY,…" with a row a day: of one day with blanks
// behind the commas and the month in words, of many days with ISO dates. The
// header and every row end with a comma, so that a row that was cut shows.
func (f *rateFile) readCSV(text string) error {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	header, err := r.Read()
	if err != nil {
		return csvError(err)
	}
	known, err := f.columns(header)
	if err != nil {
		return err
	}
	r.ReuseRecord = true
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(err)
		}
		line, _ := r.FieldPos(0)
		if len(row) == 1 && strings.TrimSpace(row[0]) == "" {
			continue
		}
		if len(row) != len(header) {
			return invalid("household.error.rate_cells", line, len(row), len(header))
		}
		if err := f.begin(line, row[0]); err != nil {
			return err
		}
		for i, value := range row {
			if known[i] == "" {
				continue
			}
			if err := f.put(line, known[i], value); err != nil {
				return err
			}
		}
	}
}

// columns gives the currency of each column, and "" for one that is left out.
func (f *rateFile) columns(header []string) ([]string, error) {
	known := make([]string, len(header))
	if !strings.EqualFold(strings.TrimSpace(header[0]), "date") || len(header) < 2 {
		return nil, invalid("household.error.rate_file")
	}
	for i, code := range header {
		code = strings.TrimSpace(code)
		if i == 0 || (code == "" && i == len(header)-1) {
			continue
		}
		ok, err := f.known(1, code)
		if err != nil {
			return nil, err
		}
		if slices.Contains(known, code) {
			return nil, invalid("household.error.rate_currency_twice", 1, code)
		}
		if ok {
			known[i] = code
		}
	}
	return known, nil
}

func csvError(err error) error {
	if p, ok := errors.AsType[*csv.ParseError](err); ok {
		return invalid("household.error.rate_broken", p.Line)
	}
	return err
}
