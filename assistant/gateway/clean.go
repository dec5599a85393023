package gateway

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// masked stands for a key, and for what people said.
const masked = "•••"

// Of how many bytes a name is that hosts give: a code, a field, an id, a model.
const longestLabel = 200

// clean leaves of an error what may be kept and logged: short, without the key
// and the words of people, which some hosts repeat, and without what moves the
// cursor of a terminal.
func (p *provider) clean(e *Error, r Request) {
	say := func(text string, most int) string {
		return hush(brief(p.mask.Hide(printable(text), masked), most), r)
	}
	e.Message = say(e.Message, longestExcerpt)
	e.Code, e.RequestID = say(e.Code, longestLabel), say(e.RequestID, longestLabel)
	e.Param = say(e.Param, longestLabel)
}

// tidy does so with what a host says of its answer, beside the answer itself.
func (p *provider) tidy(res *Result) {
	say := func(text string) string { return brief(p.mask.Hide(printable(text), masked), longestLabel) }
	res.RequestID, res.Model = say(res.RequestID), say(res.Model)
	if res.Refusal != nil {
		res.Refusal.Category, res.Refusal.Message = say(res.Refusal.Category), p.mask.Hide(res.Refusal.Message, masked)
	}
}

// printable is a text in one line, without signs that nobody sees.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// brief is the beginning of a text, in whole characters.
func brief(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// unled forgets where a host would have the request sent: nobody goes there, and
// what stands there may be the key.
type unled struct{ next http.RoundTripper }

// RoundTrip asks.
func (u unled) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := u.next.RoundTrip(r)
	if resp != nil {
		resp.Header.Del("Location")
	}
	return resp, err
}
