package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module     = "github.com/nodkeep/nodkeep"
	pocketbase = "github.com/pocketbase/pocketbase"
)

// TestArchitecture holds the whole repository against the rules of
// docs/explain/architecture.md. Only syntax is looked at, so it takes no build.
func TestArchitecture(t *testing.T) {
	for _, b := range breaches(repository(t)) {
		t.Error(b)
	}
}

// TestArchitectureCanFail breaks each rule once.
func TestArchitectureCanFail(t *testing.T) {
	imports := func(pkgs ...string) string {
		return "package p\nimport (\n\"" + strings.Join(pkgs, "\"\n\"") + "\"\n)\n"
	}
	rows := []struct {
		name, path, src string
		want            string // a part of the breach; "" when it is allowed
	}{
		{"plugin imports tools", "tools/household/a.go", imports(module+"/tools", pocketbase+"/core", "net/url"), ""},
		{"plugin imports a plugin", "tools/household/a.go", imports(module + "/tools/study"), "may not import tools/study"},
		{"plugin imports the assistant", "tools/study/a.go", imports(module + "/assistant/reader"), "may not import assistant/reader"},
		{"plugin imports hooks", "tools/studio/a.go", imports(module + "/hooks"), "may not import hooks"},
		{"plugin imports the catalogue", "tools/household/a.go", imports(module + "/tools/i18n"), "may not import tools/i18n"},
		{"a door imports the matching code", "hooks/a.go", imports(module+"/tools/words", module+"/tools/accounts"), ""},
		{"the assistant imports the matching code", "assistant/a.go", imports(module + "/tools/words"), ""},
		{"the assistant imports the accounts", "assistant/a.go", imports(module + "/tools/accounts"), "may not import tools/accounts"},
		{"the accounts import the matching code", "tools/accounts/a.go", imports(module+"/tools", module+"/tools/words"), ""},
		{"the accounts import a plugin", "tools/accounts/a.go", imports(module + "/tools/household"), "may not import tools/household"},
		{"the accounts open a connection", "tools/accounts/a.go", imports("net/http"), "may not import net/http"},
		{"a plugin imports the matching code", "tools/household/a.go", imports(module + "/tools/words"), "may not import tools/words"},
		{"a plugin imports the accounts", "tools/household/a.go", imports(module + "/tools/accounts"), "may not import tools/accounts"},
		{"the matching code imports the tools", "tools/words/a.go", imports(module + "/tools"), "may not import tools"},
		{"the engine imports the matching code", "tools/a.go", imports(module + "/tools/words"), "may not import tools/words"},
		{"plugin imports apis", "tools/household/a.go", imports(pocketbase + "/apis"), "may not import " + pocketbase},
		{"records imports apis", "tools/records/a.go", imports(pocketbase + "/apis"), ""},
		{"a plugin's subfolder", "tools/household/dates/a.go", imports(module + "/hooks"), "may not import hooks"},
		{"a plugin imports its subfolder", "tools/household/a.go", imports(module + "/tools/household/dates"), ""},
		{"tools imports HTTP", "tools/a.go", imports("net/http"), "may not import net/http"},
		{"a plugin opens a connection", "tools/household/a.go", imports("net"), "may not import net"},
		{"a plugin fetches", "tools/household/a.go", imports("net/http"), "may not import net/http"},
		{"a plugin sends mail", "tools/household/a.go", imports("net/smtp"), "may not import net/smtp"},
		{"a plugin starts a process", "tools/household/a.go", imports("os/exec"), "may not import os/exec"},
		{"a plugin's test may", "tools/household/a_test.go", imports("net/http", "os/exec"), ""},
		{"hooks starts a process", "hooks/a.go", imports("os/exec", "net"), ""},
		{"tools imports a plugin", "tools/a.go", imports(module + "/tools/household"), "may not import tools/household"},
		{"tools imports MCP", "tools/a.go", imports("github.com/modelcontextprotocol/go-sdk/mcp"), "may not import github.com/modelcontextprotocol"},
		{"a test may drive the tools over HTTP", "tools/a_test.go", imports("net/http", pocketbase+"/apis"), ""},
		{"a test of a plugin may not reach another", "tools/household/a_test.go", imports(module + "/tools/study"), "may not import tools/study"},
		{"assistant imports a plugin", "assistant/reader/a.go", imports(module + "/tools/household"), "may not import tools/household"},
		{"assistant imports hooks", "assistant/a.go", imports(module + "/hooks"), "may not import hooks"},
		{"assistant imports its own", "assistant/a.go", imports(module+"/assistant/gate", module+"/tools/i18n"), ""},
		{"MCP in its folder", "assistant/mcp/a.go", imports("github.com/modelcontextprotocol/go-sdk/mcp"), ""},
		{"telemetry in its folder", "assistant/telemetry/a.go", imports("go.opentelemetry.io/otel"), ""},
		{"telemetry elsewhere", "assistant/gateway/a.go", imports("go.opentelemetry.io/otel"), "may not import go.opentelemetry.io"},
		{"the gateway knows no database", "assistant/gateway/a.go", imports(pocketbase + "/core"), "may not import " + pocketbase},
		{"the gateway's tests neither", "assistant/gateway/fake/a.go", imports("github.com/pocketbase/dbx"), "may not import github.com/pocketbase"},
		{"hooks imports a plugin", "hooks/a.go", imports(module + "/tools/household"), "may not import tools/household"},
		{"hooks imports apis and jsvm", "hooks/a.go", imports(pocketbase+"/apis", pocketbase+"/plugins/jsvm"), ""},
		{"main imports jsvm", "main.go", imports(pocketbase + "/plugins/jsvm"), "may not import " + pocketbase},
		{"main imports a plugin", "main.go", imports(module+"/tools/household", module+"/hooks"), ""},
		{"a folder nobody planned", "helpers/a.go", imports("fmt"), "not a folder of the design"},

		{"init", "tools/a.go", "package p\nfunc init() {}", "init()"},
		{"init of a migration", "pb_migrations/a.go", "package p\nfunc init() {}", ""},
		{"init as a method", "tools/a.go", "package p\ntype T int\nfunc (T) init() {}", ""},
		{"global assigned", "tools/a.go", "package p\nvar n int\nfunc f() { n = 1 }", "n is assigned"},
		{"global counted", "tools/a.go", "package p\nvar n int\nfunc f() { n++ }", "n is assigned"},
		{"global map filled", "tools/a.go", "package p\nvar m = map[string]int{}\nfunc f() { m[\"x\"] = 1 }", "m is assigned"},
		{"global of a package", "tools/a.go", imports("log/slog") + "func f() { slog.DefaultLevel = nil }", "slog.DefaultLevel is assigned"},
		{"local of the same name", "tools/a.go", "package p\nvar n int\nfunc f() { n := 1; n = 2; _ = n }", ""},
		{"nothing assigned", "tools/a.go", "package p\nvar _ I = T{}\nfunc f() { _ = 1 }", ""},
		{"collection assigned", "tools/a.go", "package p\nfunc f(r R) { r.Collection().ListRule = nil }", "Collection()"},
		{"collection assigned by a name", "tools/a.go", "package p\nfunc f(r R) { c := r.Collection(); c.ListRule = nil }", "Collection()"},
		{"collection's fields assigned", "hooks/a.go", "package p\nfunc f(r R) { r.Collection().Fields[0] = nil }", "Collection()"},
		{"collection read", "tools/a.go", "package p\nfunc f(r R) { x := r.Collection().ListRule; x = nil; _ = x }", ""},

		{"a long file", "tools/a.go", "package p\n" + strings.Repeat("//\n", 350), "351 lines"},
		{"a long main", "main.go", "package main\n" + strings.Repeat("//\n", 99), "100 lines"},
		{"a long test", "tools/a_test.go", "package p\n" + strings.Repeat("//\n", 350), ""},
		{"a registry's host", "docs/a.md", "see https://registry." + "npmjs.org/x", "host of a package registry"},
		{"a machine's path", "docs/a.md", "saved in /ro" + "ot/notes", "path of one machine"},
		{"a path that only looks so", "docs/a.md", "see pages/ho" + "me/index.js", ""},
		{"no Go", "tools/a.go", "package", "expected"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := breaches(map[string][]byte{row.path: []byte(row.src)})
			if row.want == "" {
				if len(got) > 0 {
					t.Errorf("not allowed: %v", got)
				}
			} else if len(got) != 1 || !strings.Contains(got[0], row.want) {
				t.Errorf("got %q, want one breach with %q", got, row.want)
			}
		})
	}
}

// repository reads the files that git tracks or would, or all when this is no
// clone.
func repository(t *testing.T) map[string][]byte {
	t.Helper()
	names, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		names = nil
		err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && !strings.HasPrefix(name, ".git/") {
				names = append(append(names, name...), 0)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	files := map[string][]byte{}
	for name := range strings.SplitSeq(strings.Trim(string(names), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // deleted, not yet committed
		}
		files[filepath.ToSlash(name)] = data
	}
	if len(files) == 0 {
		t.Fatal("no files found")
	}
	return files
}

// breaches lists what in files, by their paths, breaks a rule.
func breaches(files map[string][]byte) (found []string) {
	fset := token.NewFileSet()
	sources := map[string]*ast.File{}
	globals := map[string]bool{} // folder and name of a package's variables
	for name, data := range files {
		for _, text := range foreign(data) {
			found = append(found, name+": "+text)
		}
		if path.Ext(name) != ".go" {
			continue
		}
		source, err := parser.ParseFile(fset, name, data, 0)
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		sources[name] = source
		for _, decl := range source.Decls {
			if vars, ok := decl.(*ast.GenDecl); ok && vars.Tok == token.VAR {
				for _, spec := range vars.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						globals[path.Dir(name)+"."+id.Name] = id.Name != "_"
					}
				}
			}
		}
		if text := tooLong(name, data); text != "" {
			found = append(found, name+": "+text)
		}
	}
	for name, source := range sources {
		for _, text := range slices.Concat(imports(name, source), statements(fset, name, source, globals)) {
			found = append(found, name+": "+text)
		}
	}
	slices.Sort(found)
	return found
}

// imports says which packages a file may not import. Tests keep the direction
// too, but may use whatever drives and compares.
func imports(name string, source *ast.File) (found []string) {
	from := layerOf(path.Dir(name))
	if from == "" {
		return []string{path.Dir(name) + " is not a folder of the design"}
	}
	test := strings.HasSuffix(name, "_test.go") || from == "tools/toolstest"
	for _, spec := range source.Imports {
		pkg, _ := strconv.Unquote(spec.Path.Value)
		if own, ok := strings.CutPrefix(pkg, module+"/"); ok {
			if !mayImport(from, layerOf(own), test) {
				found = append(found, "may not import "+own)
			}
		} else if !test && !mayReach(from, pkg) {
			found = append(found, "may not import "+pkg)
		}
	}
	return found
}

// layerOf is the part of the design that a folder belongs to: a plugin with
// its subfolders, the assistant as a whole; "" for a folder nobody planned.
func layerOf(dir string) string {
	parts := strings.Split(dir, "/")
	switch {
	case dir == "." || dir == "tools":
		return dir
	case parts[0] == "tools":
		return "tools/" + parts[1]
	case parts[0] == "assistant" && len(parts) > 1 && slices.Contains([]string{"mcp", "gateway", "telemetry"}, parts[1]):
		return parts[0] + "/" + parts[1]
	case slices.Contains([]string{"hooks", "assistant", "pb_migrations", "e2e"}, parts[0]):
		return parts[0]
	}
	return ""
}

// mayImport is the direction: main -> hooks -> assistant -> tools <- plugins.
func mayImport(from, to string, test bool) bool {
	engine := []string{"tools", "tools/i18n", "tools/toolstest", "tools/words"}
	switch {
	case to == from:
		return true
	case to == "tools/toolstest":
		return test
	case from == "." || from == "e2e":
		return true
	case from == "hooks":
		// Its tests drive the whole, plugins included.
		return test || strings.HasPrefix(to, "assistant") || to == "pb_migrations" || to == "tools/accounts" || slices.Contains(engine, to)
	case strings.HasPrefix(from, "assistant"):
		return strings.HasPrefix(to, "assistant") || slices.Contains(engine, to)
	case from == "tools":
		return test && to == "tools/i18n"
	case from == "tools/toolstest":
		return slices.Contains(engine, to) || to == "pb_migrations"
	case from == "tools/accounts" && to == "tools/words":
		return true
	case from == "tools/words":
		return false
	}
	return to == "tools"
}

// mayReach says where the packages from outside belong that are a door's.
func mayReach(from, pkg string) bool {
	switch {
	case pkg == pocketbase+"/apis":
		return slices.Contains([]string{".", "hooks", "tools/records"}, from)
	case pkg == pocketbase+"/plugins/jsvm":
		return from == "hooks"
	case strings.HasPrefix(pkg, "github.com/modelcontextprotocol/"):
		return from == "assistant/mcp"
	case strings.HasPrefix(pkg, "go.opentelemetry.io/"):
		return from == "assistant/telemetry"
	case strings.HasPrefix(pkg, "github.com/pocketbase/"):
		return from != "assistant/gateway"
	case pkg == "net/http" && (from == "tools" || from == "tools/i18n"):
		return false
	case pkg == "net" || pkg == "os/exec" || strings.HasPrefix(pkg, "net/"):
		// A plugin's tools have no network and start no process. The runtime
		// does not keep them from it: this does.
		return !isPlugin(from) || slices.Contains([]string{"net/url", "net/mail", "net/netip"}, pkg)
	}
	return true
}

// isPlugin says that a layer is one, or like the accounts and the matching code
// is held to the same; records is PocketBase's own API as tools.
func isPlugin(from string) bool {
	return strings.HasPrefix(from, "tools/") && !slices.Contains([]string{"tools/i18n", "tools/toolstest", "tools/records"}, from)
}

// statements finds what no file but a test may do: run code by being imported,
// change a package's variable, write to a collection that all requests share.
func statements(fset *token.FileSet, name string, source *ast.File, globals map[string]bool) (found []string) {
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	target := func(e ast.Expr) {
		switch id := root(e).(type) {
		case *ast.CallExpr:
			if isCollection(id) && ast.Expr(id) != e {
				found = append(found, fmt.Sprintf("line %d writes to the shared Collection()", fset.Position(e.Pos()).Line))
			}
		case *ast.Ident:
			// The parser resolves what is declared in the file; the rest is of
			// another file of the package, or an imported package.
			if global := id.Obj == nil || isGlobal(source, id.Obj); global && globals[path.Dir(name)+"."+id.Name] {
				found = append(found, id.Name+" is assigned, but a package has no state")
			} else if sel, ok := e.(*ast.SelectorExpr); ok && id.Obj == nil {
				found = append(found, id.Name+"."+sel.Sel.Name+" is assigned, but a package has no state")
			} else if id.Obj != nil && id != e && isCollection(declared(id.Obj)) {
				found = append(found, fmt.Sprintf("line %d writes to the shared Collection()", fset.Position(e.Pos()).Line))
			}
		}
	}
	ast.Inspect(source, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil && !strings.HasPrefix(name, "pb_migrations/") {
				found = append(found, "init() outside the migrations")
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					target(e)
				}
			}
		case *ast.IncDecStmt:
			target(n.X)
		}
		return true
	})
	return found
}

// root is what an assignment's left side starts from.
func root(e ast.Expr) ast.Expr {
	switch v := e.(type) {
	case *ast.SelectorExpr:
		return root(v.X)
	case *ast.IndexExpr:
		return root(v.X)
	case *ast.StarExpr:
		return root(v.X)
	case *ast.ParenExpr:
		return root(v.X)
	}
	return e
}

//nolint:staticcheck // types would say it better and need a build
func isGlobal(source *ast.File, obj *ast.Object) bool { return source.Scope.Lookup(obj.Name) == obj }

// declared is what a local name was first given, where that is one value.
//
//nolint:staticcheck // as above
func declared(obj *ast.Object) ast.Expr {
	if a, ok := obj.Decl.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && len(a.Lhs) == 1 {
		return a.Rhs[0]
	}
	return nil
}

func isCollection(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Collection"
}

func tooLong(name string, data []byte) string {
	lines, most := bytes.Count(bytes.TrimRight(data, "\n"), []byte("\n"))+1, 350
	if name == "main.go" {
		most = 99
	}
	if lines > most && !strings.HasSuffix(name, "_test.go") {
		return fmt.Sprintf("%d lines, at most %d", lines, most)
	}
	return ""
}

// The patterns are in pieces so that this file does not match itself.
var (
	hosts = regexp.MustCompile(`(?i)\b(proxy\.golang|sum\.golang|registry\.npmjs|registry\.yarnpkg|deb\.debian|security\.debian|files\.pythonhosted)\.` + `org\b`)
	paths = regexp.MustCompile(`(^|[^\w./-])/(root|work|home|Users)` + `/\w`)
)

// foreign finds what is true on one machine only.
func foreign(data []byte) (found []string) {
	if bytes.IndexByte(data, 0) >= 0 {
		return nil // a picture, a document
	}
	if m := hosts.Find(data); m != nil {
		found = append(found, fmt.Sprintf("%s is the host of a package registry", m))
	}
	if m := paths.Find(data); m != nil {
		found = append(found, fmt.Sprintf("%s is the path of one machine", bytes.TrimSpace(m)))
	}
	return found
}
