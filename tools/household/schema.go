package household

import "github.com/nodkeep/nodkeep/tools"

// maxIDs is how many records a bulk tool takes.
const maxIDs = 500

// oneOf lets an argument, or the items of a list, be one of values only.
func oneOf(argument string, values ...any) tools.Option {
	return func(t *tools.Tool) {
		if s := t.Input.Properties[argument]; s.Items != nil {
			s.Items.Enum = values
		} else {
			s.Enum = values
		}
	}
}

// most bounds the length of a list argument.
func most(argument string, n int) tools.Option {
	return func(t *tools.Tool) { t.Input.Properties[argument].MaxItems = &n }
}

// with applies options to a tool that reads.
func with(t tools.Tool, options ...tools.Option) tools.Tool {
	for _, o := range options {
		o(&t)
	}
	return t
}

// textFile says that an argument is the text of a file, which a door may take
// in another way.
func textFile(argument string) tools.Option {
	return func(t *tools.Tool) { t.Input.Properties[argument].ContentMediaType = "text/plain" }
}
