package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools/i18n"
)

// TestTexts holds the sentences of the catalogue against the keys that the
// code uses: none is missing, none is left over.
func TestTexts(t *testing.T) {
	sources := []fs.FS{i18n.Core()}
	for _, pattern := range []string{"tools/*/locales", "assistant/locales", "assistant/*/locales", "hooks/locales", "pb_public/locales"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if dir != filepath.FromSlash("tools/i18n/locales") {
				sources = append(sources, os.DirFS(dir))
			}
		}
	}
	catalogue, err := i18n.Load(sources...)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range keyFaults(repository(t), catalogue.Keys()) {
		t.Error(fault)
	}
}

// TestTextsCanFail breaks each rule of keyFaults once.
func TestTextsCanFail(t *testing.T) {
	const lib = "\nfunc T(key string, args ...any) {}\nfunc Fail(kind Kind, key string, args ...any) {}\n"
	rows := []struct{ name, src, want string }{
		{"known", `func f() { T("a.b", 1) }`, ""},
		{"missing in T", `func f() { T("a.b"); tools.T("a.c") }`, `tools/a.go: "a.c" is not in the catalogue`},
		{"missing in Fail", `func f() { T("a.b"); tools.Fail(tools.Invalid, "a.c", 1) }`, `tools/a.go: "a.c" is not in the catalogue`},
		{"missing in a function of the same shape", `func bad(key string, args ...any) {}; func f() { T("a.b"); bad("a.c") }`, `tools/a.go: "a.c" is not in the catalogue`},
		{"missing as a title", `var d = Def{Name: "a.b", Title: "a.c"}`, `tools/a.go: "a.c" is not in the catalogue`},
		{"left over", `func f() {}`, `"a.b" is in the catalogue and used nowhere`},
		{"used by a variable", `func f() { key := "a.b"; T(key) }`, ""},
		{"used by its beginning", `func f(s string) { T("a." + s) }`, ""},
	}
	got := keyFaults(map[string][]byte{"hooks/a.html": []byte(`{{.T "a.b"}} {{$.T "a.c" .View.X}}`)}, []string{"a.b"})
	if want := `hooks/a.html: "a.c" is not in the catalogue`; strings.Join(got, "; ") != want {
		t.Errorf("a template: got %q, want %q", got, want)
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := keyFaults(map[string][]byte{"tools/a.go": []byte("package p\n" + row.src + lib)}, []string{"a.b"})
			if strings.Join(got, "; ") != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// keyFaults lists keys that Go sources use and keys lacks, and those of keys
// that neither Go nor the web names. A key is a literal given to a function
// with the parameters (…, key string, args ...any), as tools.T and tools.Fail
// are, or as a Title.
func keyFaults(files map[string][]byte, keys []string) (faults []string) {
	sources := map[string]*ast.File{}
	position := map[string]int{} // of the parameter key, by a function's name
	var web strings.Builder
	var webBeginnings []string
	for name, data := range files {
		switch {
		case (strings.HasPrefix(name, "pb_public/") || strings.HasPrefix(name, "hooks/") || strings.Contains(name, "/web/")) && slices.Contains([]string{".js", ".html"}, path.Ext(name)):
			web.Write(data)
			for _, m := range append(saidInHTML.FindAllSubmatch(data, -1), saidInJS.FindAllSubmatch(data, -1)...) {
				if key := string(m[1]); strings.HasSuffix(key, ".") {
					webBeginnings = append(webBeginnings, key)
				} else if !slices.Contains(keys, key) {
					faults = append(faults, name+": "+strconv.Quote(string(m[1]))+" is not in the catalogue")
				}
			}
		case path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go"):
			source, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
			if err != nil {
				return []string{err.Error()}
			}
			sources[name] = source
			for _, decl := range source.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok {
					if i := keyParameter(f.Type); i >= 0 {
						position[f.Name.Name] = i
					}
				}
			}
		}
	}
	named := map[string]bool{} // every literal: a key may come by a variable
	for name, source := range sources {
		need := func(e ast.Expr) {
			if key := literal(e); key != "" && !slices.Contains(keys, key) {
				faults = append(faults, name+": "+strconv.Quote(key)+" is not in the catalogue")
			}
		}
		ast.Inspect(source, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				named[literal(n)] = true
			case *ast.CallExpr:
				if i, ok := position[callee(n)]; ok && i < len(n.Args) {
					need(n.Args[i])
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok && id.Name == "Title" {
					need(n.Value)
				}
			}
			return true
		})
	}
	beginnings := slices.DeleteFunc(slices.Collect(maps.Keys(named)), func(s string) bool {
		return len(s) < 2 || !strings.HasSuffix(s, ".")
	})
	beginnings = append(beginnings, webBeginnings...)
	for _, key := range keys {
		begins := func(s string) bool { return strings.HasPrefix(key, s) }
		// The label of a field is named by its collection; that the field is
		// there is for the plugin's contract to see.
		collection, _, _ := strings.Cut(key, ".")
		if !named[key] && (!strings.Contains(collection, "_") || !named[collection]) && !slices.ContainsFunc(beginnings, begins) && !strings.Contains(web.String(), strconv.Quote(key)) {
			faults = append(faults, strconv.Quote(key)+" is in the catalogue and used nowhere")
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// saidInHTML finds keys in the templates of pages.
var saidInHTML = regexp.MustCompile(`\.T "([^"]+)"`)

// saidInJS finds them in the scripts of the web front end.
var saidInJS = regexp.MustCompile(`\bt\("([^"]+)"`)

// keyParameter is the place of key in (…, key string, args ...any), or -1.
func keyParameter(f *ast.FuncType) int {
	var names []string
	for _, field := range f.Params.List {
		for _, id := range field.Names {
			names = append(names, id.Name)
		}
	}
	if i := len(names) - 2; i >= 0 && names[i] == "key" && names[i+1] == "args" {
		return i
	}
	return -1
}

func callee(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// literal is the value of a string literal, or "".
func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		s, _ := strconv.Unquote(lit.Value)
		return s
	}
	return ""
}
