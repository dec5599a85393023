// Command nodkeep serves an instance and works on it. See docs/.
package main

import (
	"embed"
	"io/fs"
	"os"
	_ "time/tzdata" // households have time zones, bare machines do not

	"github.com/nodkeep/nodkeep/hooks"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/household"
)

//go:embed all:pb_public
var public embed.FS

func main() {
	web, err := fs.Sub(public, "pb_public")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	app := hooks.New(hooks.Config{
		Public: web,
		// A plugin is one line here.
		Plugins: []tools.Plugin{
			household.Plugin{},
		},
	})
	os.Exit(app.Run(os.Args[1:]))
}
