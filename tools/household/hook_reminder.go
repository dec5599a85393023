package household

import (
	"time"

	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
)

func checkReminder(e *core.RecordEvent, problems validation.Errors) error {
	dates(e.Record, problems, "on")
	if said := e.Record.GetString("said"); said != "" && changed(e.Record, "said") {
		if _, err := time.Parse(time.RFC3339, said); err != nil {
			problems["said"] = bad("must be a moment such as 2026-03-20T09:00:00Z, or empty")
		}
	}
	return nil
}
