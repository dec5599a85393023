// Package i18n says a tools.Text in the language of the person who reads it.
// A catalogue is merged from the core's sentences and those of each plugin; the
// web front end gets the same entries and fills them in the same way.
package i18n

import (
	"embed"
	"io/fs"

	"golang.org/x/text/language"

	"github.com/nodkeep/nodkeep/tools"
)

// Languages are those that every source must have, the fallback first.
func Languages() []string { return []string{"en", "de", "es"} }

//go:embed locales
var locales embed.FS

// Core gives the sentences of the engine, the first source of a catalogue.
func Core() fs.FS { return tools.LocalesIn(locales) }

var matcher = language.NewMatcher([]language.Tag{language.English, language.German, language.Spanish})

// Match picks one of Languages: by an Accept-Language header, else by the
// language of a profile, else English.
func Match(acceptLanguage, profile string) string {
	for _, wish := range []string{acceptLanguage, profile} {
		tags, _, err := language.ParseAcceptLanguage(wish)
		if err != nil || len(tags) == 0 {
			continue
		}
		if _, i, confidence := matcher.Match(tags...); confidence > language.No {
			return Languages()[i]
		}
	}
	return Languages()[0]
}
