package household

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/pocketbase/ozzo-validation/v4/is"
)

// maxURL is how long an address is at most.
const maxURL = 2000

// schemes is how an address begins that is not just a host and its port.
var schemes = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*:([^0-9]|$)`)

// parseURL reads the address of a website in the one way it is stored. Nothing
// is ever fetched from it; no password belongs into it.
func parseURL(field, s string, most int) (string, error) {
	s, err := parseLine(field, s, most)
	if err != nil || s == "" {
		return "", err
	}
	if !schemes.MatchString(s) {
		s = "https://" + s
	}
	bad := invalid("household.error.url", field, short(s))
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil {
		return "", bad
	}
	u.Host = strings.ToLower(u.Host)
	if port := u.Port(); (port == "80" && u.Scheme == "http") || (port == "443" && u.Scheme == "https") {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	if u.Path == "/" && u.RawQuery == "" && u.Fragment == "" {
		u.Path = ""
	}
	s = u.String()
	if len(s) > most || is.URL.Validate(s) != nil { // the field's own rule
		return "", bad
	}
	return s, nil
}
