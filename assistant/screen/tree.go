package screen

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"

	"github.com/nodkeep/nodkeep/tools"
)

// node is a value of an answer, its members in their order.
type node struct {
	kind    jsontext.Kind
	text    string // of a string; of a number as it is written; of true and false
	members []member
	items   []node
}

type member struct {
	name string
	node node
}

// parse reads an answer as its person reads it.
func parse(s Source) (node, error) {
	raw, err := json.Marshal(s.Output, json.WithMarshalers(s.Catalogue.Marshalers(s.Language)), json.Deterministic(true))
	if err != nil {
		return node{}, err
	}
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	n, err := parseNode(dec)
	if err != nil && !errors.Is(err, io.EOF) {
		return node{}, err
	}
	if n.kind != '{' {
		return node{}, tools.Fail(tools.Invalid, "screen.nothing", s.Tool.Name)
	}
	return n, nil
}

func parseNode(dec *jsontext.Decoder) (node, error) {
	t, err := dec.ReadToken()
	if err != nil {
		return node{}, err
	}
	n := node{kind: t.Kind()}
	switch n.kind {
	case '"', '0':
		n.text = t.String()
	case 't', 'f':
		n.text = t.String()
	case '{':
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return node{}, err
			}
			m := member{name: name.String()} // before the next token is read
			if m.node, err = parseNode(dec); err != nil {
				return node{}, err
			}
			n.members = append(n.members, m)
		}
		_, err = dec.ReadToken()
	case '[':
		for dec.PeekKind() != ']' {
			item, err := parseNode(dec)
			if err != nil {
				return node{}, err
			}
			n.items = append(n.items, item)
		}
		_, err = dec.ReadToken()
	}
	return n, err
}

// get is a member of an object; the zero node where there is none.
func (n node) get(name string) node {
	for _, m := range n.members {
		if m.name == name {
			return m.node
		}
	}
	return node{}
}

// plain says that it is a single value.
func (n node) plain() bool { return n.kind != '{' && n.kind != '[' && n.kind != 0 && n.kind != 'n' }

// objects says that it is a list of objects.
func (n node) objects() bool { return n.kind == '[' && len(n.items) > 0 && n.items[0].kind == '{' }

// currency is the one that the amounts of an object are in.
func (n node) currency(outer string) string {
	c := n.get("currency").text
	if _, ok := tools.CurrencyDigits(c); ok {
		return c
	}
	return outer
}
