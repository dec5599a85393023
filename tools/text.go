package tools

// Text is a sentence for people, named by its key in the catalogue so that
// each reader gets it in their own language. Args fill its places {0}, {1}, …
// and are strings, whole numbers, Date, Money, Decimal, Personal or Text. In JSON it is the
// shape "text": {text, key, args}.
type Text struct {
	Key  string
	Args []any
}

// T makes a Text.
func T(key string, args ...any) Text { return Text{key, args} }

// Words is a Text that JSON shows as its sentence alone. The key "" stands for
// its arguments as they are.
type Words Text

// Decimal is a number such as "1.0812", written in a sentence with the reader's
// decimal point: 25.267 would be twenty-five thousand to a German.
type Decimal string

// W makes Words of a value that needs no translation: a string, whole number,
// Date, Money, Decimal or Text.
func W(v any) Words { return Words{Args: []any{v}} }
