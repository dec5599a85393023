package toolstest

import (
	"slices"
	"testing"
)

func TestUnlisted(t *testing.T) {
	const listed = "package p\nfunc (Plugin) Tools() []tools.Tool { return append([]tools.Tool{addTool()}, more()...) }\n"
	rows := []struct {
		name, src string
		want      []string
	}{
		{"all listed", "func addTool() tools.Tool { return with(x) }\nfunc with(t tools.Tool) tools.Tool { return t }\nfunc more() []tools.Tool { return []tools.Tool{listTool()} }\nfunc listTool() tools.Tool { return y }", nil},
		{"one forgotten", "func addTool() tools.Tool { return x }\nfunc more() []tools.Tool { return nil }\nfunc dropTool() tools.Tool { return z }", []string{"dropTool"}},
		{"a list forgotten", "func addTool() tools.Tool { return x }\nfunc more() []tools.Tool { return nil }\nfunc others() []tools.Tool { return nil }", []string{"others"}},
		{"only used by one forgotten", "func dropTool() tools.Tool { return inner() }\nfunc inner() tools.Tool { return x }", []string{"dropTool", "inner"}},
		{"no maker", "func addTool() int { return 1 }\nfunc (Plugin) Other() tools.Tool { return x }", nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := unlisted(map[string]string{"a.go": listed + row.src})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}
