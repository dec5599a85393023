package reader

import (
	"embed"
	"io/fs"

	"github.com/nodkeep/nodkeep/tools"
)

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS { return tools.LocalesIn(locales) }
