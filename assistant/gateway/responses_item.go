package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"slices"
	"strings"
)

// responsesItem is a message, a call, what was thought, or what is not known yet
// and goes back as it came.
type responsesItem struct {
	head   responsesHead
	raw    jsontext.Value // as it was done, else as it was added
	done   bool
	shown  strings.Builder // text or thinking, as it came
	parts  []string        // texts told in full, by their index
	pieces strings.Builder // of arguments
	args   string          // told in full
}

type responsesHead struct {
	Type      str                 `json:"type"`
	ID        str                 `json:"id"`
	CallID    str                 `json:"call_id"`
	Name      str                 `json:"name"`
	Status    str                 `json:"status"`
	Arguments jsontext.Value      `json:"arguments"`
	Content   jsontext.Value      `json:"content"`
	Summary   objs[responsesPart] `json:"summary"`
}

// part keeps the text of a part. An index that nobody means is not kept.
func (it *responsesItem) part(index int64, text string) {
	if index < 0 || index > 100 {
		return
	}
	for int64(len(it.parts)) <= index {
		it.parts = append(it.parts, "")
	}
	if len(text) > len(it.parts[index]) {
		it.parts[index] = text
	}
}

// item is the one that an event is about: by its id, by its place if that is of
// this kind, else the last of its kind, for some hosts leave both out and others
// change the id with every event.
func (d *responsesAnswer) item(e responsesEvent, kind string) *responsesItem {
	fits := func(it *responsesItem) bool { return it != nil && string(it.head.Type) == kind }
	for _, id := range []str{e.ItemID, e.CallID} {
		if it := d.ids[string(id)]; id != "" && fits(it) {
			return it
		}
	}
	if it := d.at[e.Index.N]; e.Index.Is && fits(it) {
		return it
	}
	if !e.Index.Is {
		for i := len(d.items) - 1; i >= max(0, len(d.items)-8); i-- {
			if fits(d.items[i]) {
				return d.items[i]
			}
		}
	}
	it := d.add(responsesHead{Type: str(kind), ID: e.ItemID, CallID: e.CallID, Name: e.Name})
	d.know(it, e)
	return it
}

func (d *responsesAnswer) add(h responsesHead) *responsesItem {
	it := &responsesItem{head: h}
	if len(d.items) == maxItems {
		d.a.unread(errTooMany)
		return it
	}
	d.a.begun = true
	d.items = append(d.items, it)
	return it
}

// know notes by what later events may mean an item.
func (d *responsesAnswer) know(it *responsesItem, e responsesEvent) {
	if d.at == nil {
		d.at, d.ids = map[int64]*responsesItem{}, map[string]*responsesItem{}
	}
	if e.Index.Is {
		d.at[e.Index.N] = it
	}
	for _, id := range []str{it.head.ID, it.head.CallID, e.ItemID} {
		if id != "" && len(d.ids) < 4*maxItems {
			d.ids[string(id)] = it
		}
	}
}

// find is the item that is added or done: another call is another item, even
// in the same place.
func (d *responsesAnswer) find(e responsesEvent, h responsesHead) *responsesItem {
	same := func(it *responsesItem) bool {
		return it != nil && it.head.Type == h.Type && (h.CallID == "" || it.head.CallID == "" || it.head.CallID == h.CallID)
	}
	for _, id := range []str{h.CallID, h.ID, e.ItemID} {
		if it := d.ids[string(id)]; id != "" && same(it) {
			return it
		}
	}
	if it := d.at[e.Index.N]; e.Index.Is && same(it) && !it.done {
		return it
	}
	if !e.Index.Is && len(d.items) > 0 {
		if it := d.items[len(d.items)-1]; same(it) && !it.done && (h.ID == "" || it.head.ID == "") && (h.CallID == "" || it.head.CallID == "") {
			return it
		}
	}
	return nil
}

// of is the item that an event tells of, new if it is the first to do so, with
// what the event says of it; nil where that cannot be read.
func (d *responsesAnswer) of(e responsesEvent) (it *responsesItem, h responsesHead) {
	if !d.a.parse(e.Item, &h) {
		return nil, h
	}
	if it = d.find(e, h); it == nil {
		it = d.add(h)
	}
	return it, h
}

func (d *responsesAnswer) added(e responsesEvent) {
	it, h := d.of(e)
	if it == nil || it.done {
		return
	}
	it.head, it.raw = h, e.Item.Clone()
	d.know(it, e)
}

func (d *responsesAnswer) done(e responsesEvent) {
	if it, h := d.of(e); it != nil {
		d.settle(it, h, e.Item)
		d.know(it, e)
	}
}

// settle takes an item as it is in the end, and shows what of it was not shown
// before.
func (d *responsesAnswer) settle(it *responsesItem, h responsesHead, raw jsontext.Value) {
	h.CallID, h.Name = cmp.Or(h.CallID, it.head.CallID), cmp.Or(h.Name, it.head.Name)
	it.head, it.raw, it.done = h, raw.Clone(), true
	switch h.Type {
	case "message":
		var text strings.Builder
		text.WriteString(word(h.Content))
		d.a.unread(each(h.Content, func(v jsontext.Value) {
			var p responsesPart
			_ = lenient(v, &p) // what is no part says nothing
			switch p.Type {
			case "output_text", "text":
				text.WriteString(string(p.Text))
			case "refusal":
				d.refuse(string(p.Refusal))
			}
		}))
		d.rest(it, text.String(), d.a.say)
	case "reasoning":
		var text strings.Builder
		for _, p := range h.Summary {
			text.WriteString(string(p.Text))
		}
		d.a.unread(each(h.Content, func(v jsontext.Value) {
			var p responsesPart
			_ = lenient(v, &p) // what is no part says nothing
			text.WriteString(string(p.Text))
		}))
		d.rest(it, text.String(), d.a.think)
	case "function_call":
		it.args = cmp.Or(textOf(h.Arguments), it.args)
	}
}

// rest shows what of a text was not shown yet.
func (d *responsesAnswer) rest(it *responsesItem, text string, show func(string)) {
	if it.shown.Len() > 0 && !strings.HasPrefix(text, it.shown.String()) {
		return // it came otherwise, and cannot be taken back
	}
	if more := text[it.shown.Len():]; more != "" {
		it.shown.WriteString(more)
		show(more)
	}
}

// merge takes what only the end tells. The k-th item of a kind is the k-th that
// came; a call is known by its id.
func (d *responsesAnswer) merge(output jsontext.Value) error {
	came := len(d.items)
	seen := map[str]int{}
	var order []*responsesItem
	err := each(output, func(v jsontext.Value) {
		var h responsesHead
		if !d.a.parse(v, &h) {
			return
		}
		it := d.find(responsesEvent{}, responsesHead{Type: h.Type, CallID: h.CallID})
		if it == nil || h.CallID == "" {
			it = nil
			for n := seen[h.Type]; n < came && it == nil; n++ {
				if cand := d.items[n]; cand.head.Type == h.Type && (h.CallID == "" || cand.head.CallID == "") {
					it = cand
				}
				seen[h.Type] = n + 1
			}
		}
		if it == nil {
			it = d.add(h)
		}
		if !it.done {
			d.settle(it, h, v)
		}
		order = append(order, it)
	})
	// What came only now belongs where the host puts it.
	if len(d.items) > came && len(order) == len(d.items) && !slices.Contains(order, nil) {
		d.items = order
	}
	return err
}
