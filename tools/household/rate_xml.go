package household

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// readXML reads the ECB's envelope: an element Cube with a time for each day,
// and in it one with currency and rate for each currency.
func (f *rateFile) readXML(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	// Whatever encoding it names: it is text already.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line, _ := d.InputPos()
		if err != nil {
			return invalid("household.error.rate_broken", line)
		}
		cube, ok := token.(xml.StartElement)
		if !ok || cube.Name.Local != "Cube" {
			continue
		}
		if err := f.readCube(line, cube.Attr); err != nil {
			return err
		}
	}
}

func (f *rateFile) readCube(line int, attrs []xml.Attr) error {
	has := map[string]string{}
	for _, a := range attrs {
		has[a.Name.Local] = a.Value
	}
	if time, ok := has["time"]; ok {
		return f.begin(line, time)
	}
	currency, ok := has["currency"]
	if !ok {
		return nil // the one around all
	}
	if len(f.days) == 0 {
		return invalid("household.error.rate_date", line, "")
	}
	rate, ok := has["rate"]
	if !ok {
		return invalid("household.error.rate_value", line, currency, "")
	}
	known, err := f.known(line, currency)
	if err != nil || !known {
		return err
	}
	return f.put(line, currency, rate)
}
