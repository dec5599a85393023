package accounts

import (
	"regexp"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// isHandle is what the accounts' migration asks of a handle.
var isHandle = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{1,39}$`)

// Handle gives a handle as it is stored, or says what one needs to be. Only
// plain letters are let through, so that none looks like another.
func Handle(s string) (string, error) {
	h := strings.ToLower(strings.TrimSpace(s))
	if !isHandle.MatchString(h) {
		return "", tools.Fail(tools.Invalid, "nodkeep.error.handle")
	}
	return h, nil
}
