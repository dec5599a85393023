package tools

import (
	"database/sql"
	"encoding/json/v2"
	"strings"
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

	// ProposalsTable and UploadsTable are written by the gate and by the doors
	// that take files, under the same rule.
	ProposalsTable = "nodkeep_proposals"
	UploadsTable   = "nodkeep_uploads"

	// HoldsTable and UsageTable are what calls of models may cost and did cost.
	HoldsTable = "nodkeep_holds"
	UsageTable = "nodkeep_usage"

	// ConversationsTable and TurnsTable are what was said to assistants, for a
	// while.
	ConversationsTable = "nodkeep_conversations"
	TurnsTable         = "nodkeep_turns"
)

// Books are the collections of the engine itself. They share a prefix with the
// core's tools, but are no plugin's: no tool reads or writes them.
func Books() []string {
	return []string{auditTable, stepsTable, noncesTable, outboxTable, filesTable, ProposalsTable, UploadsTable, HoldsTable, UsageTable, ConversationsTable, TurnsTable}
}

// ofAccounts says that a collection holds accounts, or what the core keeps of
// them: passes and links. Undo leaves it alone, as each act has its reverse, and
// a link that was revoked must not be good again.
func ofAccounts(collection string) bool {
	return collection == Members || strings.HasPrefix(collection, Core+"_")
}

// Stamp writes a time as PocketBase stores it, to the millisecond, for queries
// that go past its records.
func Stamp(t time.Time) string { return t.UTC().Format(types.DefaultDateLayout) }

// ParseStamp reads it; what is no time is the zero one.
func ParseStamp(s string) time.Time {
	t, err := time.Parse(types.DefaultDateLayout, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

// One wants that a statement changed one row.
func One(done sql.Result, otherwise error) error {
	n, err := done.RowsAffected()
	if err == nil && n != 1 {
		err = otherwise
	}
	return err
}

func parseStrings(s string) []string {
	var l []string
	if json.Unmarshal([]byte(s), &l) != nil {
		return nil
	}
	return l
}
