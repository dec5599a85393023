package tools

// Text is a sentence for people, named by its key in the catalogue so that
// each reader gets it in their own language. Args fill its places {0}, {1}, …
// and are strings, whole numbers, Date, Money or Text.
type Text struct {
	Key  string
	Args []any
}

// T makes a Text.
func T(key string, args ...any) Text { return Text{key, args} }
