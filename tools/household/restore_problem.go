package household

import (
	"errors"
	"fmt"
	"strings"

	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// key tells a record from the others of a part.
func (a *arriving) key() string { return a.table.key + "/" + a.id }

// where names a record for a message: charges[3] "Netflix 2026-01-31".
func (a *arriving) where() string {
	if a.table.one() {
		return a.table.key
	}
	label := a.label
	if label == "" {
		label = a.id
	}
	return fmt.Sprintf("%s[%d] %q", a.table.key, a.at, short(label))
}

func (a *arriving) problem(what tools.Text) error {
	return invalid("household.error.about", a.where(), what)
}

// refused says which record an error of its saving is about. That an id is
// taken is said as little as can be: what has it may be somebody else's.
func (a *arriving) refused(err error) error {
	own, is := errors.AsType[*tools.Error](err)
	if !is {
		return err
	}
	if fields, is := errors.AsType[validation.Errors](err); is && fields[core.FieldNameId] != nil {
		return a.problem(tools.T("household.restore.id_unusable", a.id))
	}
	return tools.Fail(own.Kind, "household.error.about", a.where(), own.Text).Because(err)
}

func wrongType(field, wanted string, v any) tools.Text {
	is := map[bool]string{true: "type.null"}[v == nil]
	switch v.(type) {
	case bool:
		is = "type.boolean"
	case string:
		is = "type.string"
	case float64:
		is = "type.number"
	case []any:
		is = "type.array"
	case map[string]any:
		is = "type.object"
	}
	return tools.T("argument.type", tools.T("argument.field", field), tools.T(wanted), tools.T(is))
}

func unknownField(field string, known []string) tools.Text {
	return tools.T("argument.unknown", tools.T("argument.field", field), strings.Join(known, ", "))
}
