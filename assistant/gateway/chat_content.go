package gateway

import "encoding/json/jsontext"

// content takes what is said: a text, or a list of parts, of which some may be
// thinking.
func (c *chatDecoder) content(v jsontext.Value) {
	switch v.Kind() {
	case '"':
		c.say(c.said.text(v))
	case '[':
		for _, part := range elements(v) {
			c.part(part)
		}
	case '{':
		c.part(v)
	}
}

func (c *chatDecoder) say(said string) {
	c.a.say(said)
	c.raw.say(said)
}

func (c *chatDecoder) part(v jsontext.Value) {
	if v.Kind() == '"' {
		c.say(text(v))
		return
	}
	var p struct {
		Type     str            `json:"type"`
		Text     jsontext.Value `json:"text"`
		Thinking jsontext.Value `json:"thinking"`
		Refusal  str            `json:"refusal"`
	}
	if lenient(v, &p) != nil {
		return
	}
	switch p.Type {
	case "", "text", "output_text":
		c.say(text(p.Text))
	case "thinking", "reasoning":
		thought := text(p.Text)
		if p.Thinking != nil {
			thought = unpacked(p.Thinking)
		}
		c.a.think(thought)
		c.raw.part(v, thought)
	case "refusal":
		c.refusal.WriteString(string(p.Refusal))
	}
}

// unpacked is the text of a string, or of a list of texts.
func unpacked(v jsontext.Value) string {
	if v.Kind() == '"' {
		return text(v)
	}
	var all []byte
	for _, e := range elements(v) {
		var t struct {
			Text jsontext.Value `json:"text"`
		}
		if e.Kind() == '"' {
			all = append(all, text(e)...)
		} else if lenient(e, &t) == nil {
			all = append(all, text(t.Text)...)
		}
	}
	return string(all)
}
