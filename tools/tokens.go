package tools

// Tokens estimates how many tokens of a model so many bytes of JSON or prose
// are: one for every 3.5, rounded up. Tokenizers differ by a fifth or so; this
// one is the same today and next year, so that a limit can stand in a test.
func Tokens(bytes int) int { return (2*bytes + 6) / 7 }
