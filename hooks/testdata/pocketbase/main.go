// Command pocketbase is PocketBase with nothing added: what ours is measured
// against.
package main

import (
	"log/slog"
	"os"

	"github.com/pocketbase/pocketbase"
)

func main() {
	if err := pocketbase.New().Start(); err != nil {
		slog.Error(err.Error())
		os.Exit(1)
	}
}
