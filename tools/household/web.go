package household

import (
	"embed"
	"io/fs"
)

//go:embed web
var web embed.FS

// Web brings the household's pages.
func (Plugin) Web() fs.FS {
	pages, err := fs.Sub(web, "web")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return pages
}
