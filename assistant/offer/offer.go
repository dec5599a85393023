// Package offer says what agents are offered: how a tool and its schema look to
// any model, what arguments are taken for, and the tools that each agent has
// beside those of the plugins.
package offer

import (
	"embed"
	"io/fs"

	"github.com/nodkeep/nodkeep/tools"
)

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS { return tools.LocalesIn(locales) }
