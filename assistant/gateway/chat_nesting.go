package gateway

// nesting follows how deep in an object a text that comes in pieces is, without
// reading anything twice.
type nesting struct {
	depth   int
	ended   int // objects that are over
	size    int // bytes that are no white space
	quoted  bool
	escaped bool
}

func (n *nesting) add(b []byte) {
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			n.size++
		}
		switch {
		case n.escaped:
			n.escaped = false
		case n.quoted:
			n.escaped, n.quoted = c == '\\', c != '"'
		case c == '"':
			n.quoted = true
		case c == '{' || c == '[':
			n.depth++
		case (c == '}' || c == ']') && n.depth > 0:
			if n.depth--; n.depth == 0 {
				n.ended++
			}
		}
	}
}

// open says that more has to come.
func (n *nesting) open() bool { return n.depth > 0 || n.quoted }

// whole says that what came could be all.
func (n *nesting) whole() bool { return n.ended > 0 && !n.open() }

// empty says that it is an object with nothing in it.
func (n *nesting) empty() bool { return n.ended == 1 && n.size == 2 }
