package household

import "github.com/nodkeep/nodkeep/tools"

// maxIDs is how many records a bulk tool takes.
const maxIDs = 500

// most bounds the length of a list argument.
func most(argument string, n int) tools.Option {
	return func(t *tools.Tool) { t.Input.Properties[argument].MaxItems = &n }
}

// textFile says that an argument is the text of a file, which a door may take
// in another way.
func textFile(argument string) tools.Option {
	return func(t *tools.Tool) { t.Input.Properties[argument].ContentMediaType = "text/plain" }
}
