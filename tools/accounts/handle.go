package accounts

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/nodkeep/nodkeep/tools"
)

// isHandle is what the accounts' migration asks of a handle.
var isHandle = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{1,39}$`)

// Handle gives a handle as it is stored, or says what one needs to be. Only
// plain letters are let through, so that none looks like another.
func Handle(s string) (string, error) {
	s = strings.TrimSpace(s)
	// Other letters have a lower case that is plain: the Kelvin sign is a k then.
	plain := !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
	h := strings.ToLower(s)
	if !plain || !isHandle.MatchString(h) {
		return "", tools.Fail(tools.Invalid, "nodkeep.error.handle")
	}
	return h, nil
}
