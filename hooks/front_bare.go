package hooks

import "bytes"

// bare is a script or a style as browsers need it: without the lines that are
// comments, and without what stands before a line. A fifth of what is sent is
// that. Every line stays at its number, so a fault is found where it is said.
// A comment begins its line: one behind code stays, and no template literal has
// a line that begins like one (web_test.go).
func bare(src []byte) []byte {
	out := make([]byte, 0, len(src))
	inside := false
	for line := range bytes.Lines(src) {
		text := bytes.TrimSpace(line)
		switch {
		case inside:
			inside = !bytes.Contains(text, []byte("*/"))
		case bytes.HasPrefix(text, []byte("/*")):
			inside = !bytes.Contains(text, []byte("*/"))
		case bytes.HasPrefix(text, []byte("//")):
		default:
			out = append(out, text...)
		}
		if bytes.HasSuffix(line, []byte("\n")) {
			out = append(out, '\n')
		}
	}
	return out
}
