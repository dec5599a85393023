package e2e

import "testing"

// TestFileFormulas: a file that the page makes runs nothing in a spreadsheet, wherever that cuts it.
func TestFileFormulas(t *testing.T) {
	i := demo(t, "en")
	w := open(t, i.base, desktop)
	w.visit("/")
	w.see("Sign in")
	for cell, want := range map[string]string{
		"plain": "plain", "-12.50": "-12.50", "a-b": "a-b", "": "",
		"=1+1": "'=1+1", "-12.50.1": "'-12.50.1", "@x": "'@x", "'x": "''x", "  =x": "'  =x", "\u200b=x": "'\u200b=x", "＝x": "'＝x",
		`"=x`: `"'""=x"`, "a;=x": `"a;'=x"`, "a\n+x": "\"a\n'+x\"", "\t=x": "\"'\t'=x\"", "a;;=x": `"a;;'=x"`,
	} {
		got := eval[string](w, `import("/lib/file.js").then((m) => m.csv([[`+quote(cell)+`]]))`)
		if got != "\ufeff"+want+"\r\n" {
			t.Errorf("%q is %q, want %q", cell, got, want)
		}
	}
}
