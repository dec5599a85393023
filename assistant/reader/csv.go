package reader

import (
	"bytes"
	"context"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// csv reads tables of text: comma, semicolon, tab or bar between the cells. One
// reader serves all banks; every decision is made for a whole file, in this
// sequence: encoding, separator, header or content, order of the dates, decimal
// mark, currency, sign.
type csv struct{}

func (csv) sniff(data []byte) bool { return contentKind(data) == "text" }

func (csv) parse(ctx context.Context, file File, answers map[string]string) (*statement, error) {
	encoding := encodingOf(file.Data)
	t, err := openTable(newlines(decode(file.Data, encoding)))
	if err != nil {
		return nil, err
	}
	s, err := t.survey(ctx, file)
	if err != nil {
		return nil, err
	}
	st := &statement{}
	c, err := s.decide(ctx, file, answers, st)
	if err != nil {
		return nil, err
	}
	facts := []string{string(encoding), separatorName(t.comma)}
	if !st.undated {
		facts = append(facts, string(c.order))
	}
	if !st.unscaled {
		facts = append(facts, markName(c.mark))
	}
	st.format = "csv (" + strings.Join(facts, ", ") + ")"
	if err := t.read(ctx, c, st); err != nil {
		return nil, err
	}
	if len(st.rows) == 0 && st.onlyNotes() {
		return nil, tools.Fail(tools.Invalid, "reader.no_transactions", strings.Join(t.columns(), ", "))
	}
	if err := st.decideSign(ctx, &t.layout, c, answers); err != nil {
		return nil, err
	}
	if c.currency == "" {
		c.currency = currencyOfRows(st.rows, c, file.Currency)
	}
	st.settle(c.currency)
	if st.currency == "" && len(st.rows) > 0 {
		st.questions = append(st.questions, question(askCurrency, commonCurrencies(c.likely, file.Currency)))
	}
	if !st.undated {
		st.order()
	}
	return st, nil
}

func separatorName(c byte) string {
	switch c {
	case ',':
		return "comma"
	case ';':
		return "semicolon"
	case '\t':
		return "tab"
	}
	return string(rune(c))
}

func markName(mark byte) string {
	if mark == ',' {
		return "1.234,56"
	}
	return "1,234.56"
}

// table is a text file in which the columns were found.
type table struct {
	data   []byte
	comma  byte
	layout layout
	start  int // where the first record of data begins
	lines  int // lines above it
	first  int // lines above the first that is in data
	head   []byte
}

// openTable finds the columns by their header, else by what is in them.
func openTable(data []byte) (*table, error) {
	comma, rest, skipped := separatorOf(data)
	t := &table{data: rest, comma: comma, first: skipped}
	l, pos, lines, found := findHeader(rest, comma)
	if !found {
		guess, ok := infer(rest, comma)
		switch {
		case ok:
			l, pos, lines = guess, 0, 0
		case l.known >= 2:
			missing := make([]any, 0, 3)
			for _, m := range l.missing() {
				missing = append(missing, tools.T("reader.column."+m))
			}
			return nil, tools.Fail(tools.Invalid, "reader.column_missing", missing[0], skipped+lines, strings.Join(notEmpty(l.own), ", "))
		default:
			return nil, tools.Fail(tools.Invalid, "reader.no_table")
		}
	}
	t.layout, t.start, t.lines, t.head = l, pos, skipped+lines, rest[:pos]
	return t, nil
}

func notEmpty(names []string) []string {
	var list []string
	for _, n := range names {
		if n != "" {
			list = append(list, n)
		}
	}
	return list
}

// columns are the names of the columns, in the words of the file.
func (t *table) columns() []string { return notEmpty(t.layout.own) }

// records gives a scanner over the records below the header.
func (t *table) records() *scanner {
	s := newScanner(t.data, t.comma, len(t.layout.names))
	s.pos, s.lines = t.start, t.lines
	return s
}

// preamble is what stands above the header, without it.
func (t *table) preamble() []byte {
	head := bytes.TrimRight(t.head, "\r\n")
	return head[:max(bytes.LastIndexByte(head, '\n'), 0)]
}
