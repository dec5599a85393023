package toolstest

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

func TestTokens(t *testing.T) {
	type in struct {
		ID string `json:"id"`
	}
	make := func(d tools.Def) tools.Tool {
		return tools.NewRead(d, func(*tools.Reader, in) (string, error) { return "", nil })
	}
	all := []tools.Tool{
		make(tools.Def{Name: "x_a", Help: "1234567", Core: true}),
		make(tools.Def{Name: "x_b", Help: "12345678"}),
		make(tools.Def{Name: "x_c", Help: "1", Hidden: "a reason of its own"}),
	}
	// {"name":"x_a","description":"1234567","input_schema":{"type":"object",
	// "required":["id"],"properties":{"id":{"type":"string"}},
	// "additionalProperties":false}} has 155 bytes.
	if a, b := Tokens(all[0]), Tokens(all[1]); a != 45 || b != 45 {
		t.Errorf("%d and %d tokens", a, b)
	}
	all[1].Help += "123"
	if n := Tokens(all[1]); n != 46 {
		t.Errorf("%d tokens", n)
	}
	want := "  45  core x_a\n  46       x_b\n  45  core\n  91   all\n"
	if got := TokenTable(all); got != want || strings.Contains(got, "x_c") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
