package tools_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// TestStoreKeepsTexts gives back what was stored with the types of all
// arguments, so that it can still be said in another language.
func TestStoreKeepsTexts(t *testing.T) {
	money, err := tools.ParseMoney("-1234.5", "EUR")
	if err != nil {
		t.Fatal(err)
	}
	yen, err := tools.ParseMoney("1200", "JPY")
	if err != nil {
		t.Fatal(err)
	}
	day := tools.Date{Year: 2027, Month: time.March, Day: 9}
	all := tools.T("a.key", "word", "", 7, uint(8), day, tools.Date{}, money, yen, tools.Decimal("1.0812"), tools.Personal("ana"),
		tools.T("inner", 1, tools.T("deeper", money)), tools.W(day), []tools.Text{tools.T("one"), tools.T("two", 2)})
	type shown struct {
		Card    tools.Card     `json:"card"`
		Changes []tools.Change `json:"changes"`
	}
	want := shown{
		tools.Card{Title: all, Lines: []tools.Text{all, tools.T("plain")}, Grave: true, Sends: []tools.Text{}, Taint: []tools.Text{}},
		[]tools.Change{{Op: tools.OpUpdate, Collection: "lab", ID: "x", Label: tools.W("Netflix"), Hidden: 2, Fields: []tools.Field{
			{Name: "amount", Label: tools.Words(tools.T("lab.amount")), Before: tools.W(money), After: tools.W("a \xff b"), RawBefore: 12.5, RawAfter: nil},
		}}},
	}
	b, err := tools.Store(want)
	if err != nil {
		t.Fatal(err)
	}
	var got shown
	if err := tools.Restore(b, &got); err != nil {
		t.Fatal(err)
	}
	want.Changes[0].Fields[0].After = tools.W("a \uFFFD b")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\nstored as %s", diff, b)
	}
}
