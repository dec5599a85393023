package tools

import (
	"encoding/json/v2"
	"time"

	"github.com/pocketbase/pocketbase/tools/types"
)

// The core's own collections. The engine writes them without hooks; nobody
// else can write to them (see bindWriters).
const (
	auditTable  = "nodkeep_audit"
	stepsTable  = "nodkeep_steps"
	noncesTable = "nodkeep_nonces"
	outboxTable = "nodkeep_outbox"
	filesTable  = "nodkeep_files"
)

// stamp writes a time as PocketBase stores it, to the millisecond.
func stamp(t time.Time) string { return t.UTC().Format(types.DefaultDateLayout) }

func parseStamp(s string) time.Time {
	t, err := time.Parse(types.DefaultDateLayout, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

func parseStrings(s string) []string {
	var l []string
	if json.Unmarshal([]byte(s), &l) != nil {
		return nil
	}
	return l
}
