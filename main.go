// Command nodkeep serves an instance and works on it. See docs/.
package main

import (
	"os"
	_ "time/tzdata" // households have time zones, bare machines do not

	"github.com/nodkeep/nodkeep/hooks"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/household"
)

func main() {
	app := hooks.New(hooks.Config{
		// A plugin is one line here.
		Plugins: []tools.Plugin{
			household.Plugin{},
		},
	})
	os.Exit(app.Run(os.Args[1:]))
}
