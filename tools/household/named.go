package household

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// How long the name of a category or payment method is at most, and an icon.
const maxNamed, maxIcon = 60, 16

// Badge is a category or a payment method: a name that people find again by
// its color and icon.
type Badge struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color,omitzero" jsonschema:"as #rrggbb"`
	Icon  string `json:"icon,omitzero" jsonschema:"an emoji or a short word"`
}

func badgeOf(rec *core.Record) Badge {
	return Badge{rec.Id, rec.GetString("name"), rec.GetString("color"), rec.GetString("icon")}
}

// noun is one of the two collections of badges, and the sentences about them.
type noun struct {
	collection string
	field      string // of a subscription, that names one
	missing    string // the key of the error where there is none
	exists     string // the key of the error where there is one already
	itself     string // the key of the error where one is merged into itself
	cards      string // what the keys of the cards begin with

	// mayDelete refuses while something keeps one; nil where all can go.
	mayDelete func(n noun, r *tools.Reader, rec *core.Record) error
}

func categoryNoun() noun {
	return noun{
		collection: categories, field: "category", cards: "household.card.category.",
		missing: "household.error.category", exists: "household.error.category_exists", itself: "household.error.category_self",
	}
}

func methodNoun() noun {
	return noun{
		collection: methods, field: "payment_method", cards: "household.card.method.",
		missing: "household.error.method", exists: "household.error.method_exists", itself: "household.error.method_self",
		mayDelete: noun.unused,
	}
}

// all reads every record by name.
func (n noun) all(r *tools.Reader) ([]*core.Record, error) {
	recs, err := r.List(n.collection, tools.Query{})
	slices.SortStableFunc(recs, func(a, b *core.Record) int {
		return strings.Compare(fold(a.GetString("name")), fold(b.GetString("name")))
	})
	return recs, err
}

// find takes an id or a name, in any case, to set a field to.
func (n noun) find(r *tools.Reader, field, s string) (string, error) {
	rec, err := n.record(r, tools.Invalid, field, s)
	if err != nil {
		return "", err
	}
	return rec.Id, nil
}

// record is the one of an id or a name. An id comes first: a name may look
// like one.
func (n noun) record(r *tools.Reader, kind tools.Kind, field, s string) (*core.Record, error) {
	recs, err := r.List(n.collection, tools.Query{})
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(recs, func(rec *core.Record) bool { return rec.Id == s }); i >= 0 {
		return recs[i], nil
	}
	if rec := called(recs, s); rec != nil {
		return rec, nil
	}
	return nil, tools.Fail(kind, n.missing, field, short(s))
}

// free refuses a name that another record has.
func (n noun) free(r *tools.Reader, name, id string) error {
	recs, err := r.List(n.collection, tools.Query{})
	if err != nil {
		return err
	}
	recs = slices.DeleteFunc(recs, func(rec *core.Record) bool { return rec.Id == id })
	if same := called(recs, name); same != nil {
		return tools.Fail(tools.Conflict, n.exists, same.GetString("name"), same.Id)
	}
	return nil
}

// called is the record of a name, in any case; of twins from before names were
// compared so, the one that is written like it.
func called(recs []*core.Record, name string) (found *core.Record) {
	name = strings.TrimSpace(unhidden(name))
	for _, rec := range recs {
		switch its := rec.GetString("name"); {
		case its == name:
			return rec
		case found == nil && sameText(its, name):
			found = rec
		}
	}
	return found
}

// names reads the names of all, by id.
func (n noun) names(r *tools.Reader) (map[string]string, error) {
	recs, err := r.List(n.collection, tools.Query{})
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(recs))
	for _, rec := range recs {
		names[rec.Id] = rec.GetString("name")
	}
	return names, nil
}

// colors are stored as #rrggbb; three digits are taken for six.
var (
	colors      = regexp.MustCompile(`^#[0-9a-f]{6}$`)
	shortColors = regexp.MustCompile(`^#[0-9a-f]{3}$`)
)

func parseColor(field, s string) (string, error) {
	color := strings.ToLower(strings.TrimSpace(s))
	if shortColors.MatchString(color) {
		r, g, b := color[1:2], color[2:3], color[3:4]
		color = "#" + r + r + g + g + b + b
	}
	if !colors.MatchString(color) {
		return "", invalid("household.error.color", field, short(s))
	}
	return color, nil
}

func parseIcon(field, s string) (string, error) { return parseName(field, s, maxIcon) }

// blank says that there is nothing to see in a text: nothing but spaces, and
// marks that have no letter to stand on.
func blank(s string) bool {
	return !strings.ContainsFunc(unhidden(s), func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsMark(r) })
}
