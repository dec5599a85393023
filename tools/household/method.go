package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

// maxMethod is how long the name of a payment method is at most, and maxIcon
// an icon.
const maxMethod, maxIcon = 60, 16

// Method is what something is paid with, such as a card.
type Method struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// methodNames reads all payment methods, by id.
func methodNames(r *tools.Reader) (map[string]string, error) { return namesOf(r, methods) }

// findMethod takes a name or an id.
func findMethod(r *tools.Reader, field, s string) (string, error) {
	recs, err := r.List(methods, tools.Query{})
	if err != nil {
		return "", err
	}
	if rec := categoryNamed(recs, s); rec != nil {
		return rec.Id, nil
	}
	return "", invalid("household.error.method", field, short(s))
}

// namesOf reads the names of all records of a collection, by id.
func namesOf(r *tools.Reader, collection string) (map[string]string, error) {
	recs, err := r.List(collection, tools.Query{})
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(recs))
	for _, rec := range recs {
		names[rec.Id] = rec.GetString("name")
	}
	return names, nil
}
