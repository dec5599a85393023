package roster

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// The fields of an assistant, as records have them; in the environment they are
// in upper case, after ASSISTANT_<ID>_.
const (
	fieldName       = "name"
	fieldProtocol   = "protocol"
	fieldBaseURL    = "base_url"
	fieldModel      = "model"
	fieldKey        = "key"
	fieldImages     = "images"
	fieldInput      = "price_input"
	fieldOutput     = "price_output"
	fieldCacheRead  = "price_cache_read"
	fieldCacheWrite = "price_cache_write"
	fieldEffort     = "effort"
	fieldMaxEffort  = "max_effort"
	fieldMode       = "mode"
)

// Fields are all there are.
func Fields() []string {
	return []string{
		fieldName, fieldProtocol, fieldBaseURL, fieldModel, fieldKey, fieldImages,
		fieldInput, fieldOutput, fieldCacheRead, fieldCacheWrite, fieldEffort, fieldMaxEffort, fieldMode,
	}
}

// ErrField is a value that a field cannot have. It never quotes the value: that
// may be a key in the wrong place.
var ErrField = errors.New("the field cannot have that value")

// Clean gives a value as it is kept, or ErrField.
func Clean(field, value string) (string, error) {
	value = strings.TrimSpace(value)
	if value == "" {
		return "", ErrField
	}
	lower := strings.ToLower(value)
	switch field {
	case fieldName:
		return value, only(len([]rune(value)) <= 80 && !strings.ContainsFunc(value, tools.Unseen))
	case fieldProtocol:
		if lower == "openai-chat" {
			lower = string(gateway.OpenAI)
		}
		return lower, only(slices.Contains([]string{string(gateway.Anthropic), string(gateway.OpenAI), string(gateway.Responses)}, lower))
	case fieldBaseURL:
		return cleanAddress(value)
	case fieldModel:
		return value, only(len(value) <= 300 && !strings.ContainsFunc(value, blank))
	case fieldKey:
		return value, only(len(value) <= 4000 && !strings.ContainsFunc(value, blank))
	case fieldImages:
		switch lower {
		case "1", "true", "yes", "on":
			return "yes", nil
		case "0", "false", "no", "off":
			return "no", nil
		}
		return "", ErrField
	case fieldInput, fieldOutput, fieldCacheRead, fieldCacheWrite:
		_, err := Micros(value)
		return value, err
	case fieldEffort, fieldMaxEffort:
		return lower, only(slices.Contains(gateway.Efforts(), gateway.Effort(lower)))
	case fieldMode:
		return lower, only(slices.Contains([]gate.Mode{gate.ModeRead, gate.ModeAsk, gate.ModeWrite, gate.ModeTrusted}, gate.Mode(lower)))
	}
	return "", ErrField
}

func only(ok bool) error {
	if !ok {
		return ErrField
	}
	return nil
}

func blank(r rune) bool { return tools.Unseen(r) || unicode.IsSpace(r) }

// cleanAddress takes what people copy: also the address of an endpoint below
// the one that is meant.
func cleanAddress(value string) (string, error) {
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || len(value) > 300 || strings.ContainsFunc(value, blank) {
		return "", ErrField
	}
	if u.Host = cleanHost(u); u.Host == "" || strings.ContainsFunc(u.Path, blank) {
		return "", ErrField
	}
	u.ForceQuery, u.Path, u.RawPath = false, strings.TrimRight(u.Path, "/"), ""
	for _, end := range []string{"/chat/completions", "/messages", "/responses", "/models"} {
		u.Path = strings.TrimSuffix(u.Path, end)
	}
	return u.String(), nil
}

// cleanHost is a host as it is shown, and as it is compared: one way to write it,
// without the port that goes without saying. Letters that look like others have no
// place in it: a name of another alphabet is given as it stands in DNS. It is ""
// where it is none.
func cleanHost(u *url.URL) string {
	name, port := strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), u.Port()
	n, err := strconv.ParseUint(port, 10, 16)
	if strings.HasSuffix(u.Host, ":") || port != "" && (err != nil || n == 0) {
		return ""
	}
	switch ip, err := netip.ParseAddr(name); {
	case err == nil && ip.Zone() != "":
		return ""
	case err == nil && ip.Is6():
		name = "[" + ip.String() + "]"
	case err != nil:
		labels := strings.Split(name, ".")
		for _, l := range labels {
			if l == "" || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
				return ""
			}
		}
		if last := labels[len(labels)-1]; last[0] >= '0' && last[0] <= '9' {
			return "" // an address in a way that not all read alike
		}
	}
	if port == "" || u.Scheme == "http" && n == 80 || u.Scheme == "https" && n == 443 {
		return name
	}
	return name + ":" + strconv.FormatUint(n, 10)
}

// Micros reads a decimal amount such as 2.50 as millionths, of which none is
// lost.
func Micros(amount string) (int64, error) {
	whole, frac, point := strings.Cut(amount, ".")
	if whole == "" || (point && frac == "") || len(whole) > 9 || len(frac) > 6 {
		return 0, ErrField
	}
	var n int64
	for _, c := range whole + frac + strings.Repeat("0", 6-len(frac)) {
		if c < '0' || c > '9' {
			return 0, ErrField
		}
		n = n*10 + int64(c-'0')
	}
	return n, nil
}

// IsID says that an assistant can be called so: lower case letters and digits,
// with single - between.
func IsID(s string) bool {
	return s != "" && len(s) <= 40 && s != "id" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" &&
		s[0] != '-' && s[len(s)-1] != '-' && !strings.Contains(s, "--")
}
