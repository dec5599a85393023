package household

import (
	"regexp"

	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
)

func checkCategory(e *core.RecordEvent, problems validation.Errors) error {
	return checkNamed(e, problems, maxCategory)
}

func checkMethod(e *core.RecordEvent, problems validation.Errors) error {
	return checkNamed(e, problems, maxMethod)
}

// colors are written as #rrggbb.
var colors = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// checkNamed holds what is told apart by its name, its color and its icon.
func checkNamed(e *core.RecordEvent, problems validation.Errors, most int) error {
	rec := e.Record
	visible(rec, problems, "name")
	if _, err := parseName("name", rec.GetString("name"), most); err != nil {
		problems["name"] = bad("must be a line of text, not empty")
	}
	if c := rec.GetString("color"); c != "" && !colors.MatchString(c) {
		problems["color"] = bad("must be written as #rrggbb")
	}
	if icon := rec.GetString("icon"); icon != "" && changed(rec, "icon") {
		if parsed, err := parseName("icon", icon, maxIcon); err != nil || parsed != icon {
			problems["icon"] = bad("must be an emoji or a short word")
		}
	}
	if into := rec.GetString("merged_into"); into != "" && into == rec.Id {
		problems["merged_into"] = bad("must be another one")
	}
	return nil
}
