package client

import (
	"embed"
	"io/fs"
)

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS {
	sub, err := fs.Sub(locales, "locales")
	if err != nil {
		panic(err) // the name is a constant that fs.Sub accepts
	}
	return sub
}
