package toolstest

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

var update = flag.Bool("update", false, "write golden files anew")

// listFile says which tools a plugin has and whether agents are offered them,
// so that a change of either is seen by whoever reviews it.
const listFile = "testdata/tools.txt"

func checkList(t *testing.T, all []tools.Tool) {
	var b strings.Builder
	for _, tool := range all {
		shown, offered := "more", "offered"
		if tool.Core {
			shown = "core"
		}
		if tool.Hidden != "" {
			offered = "hidden: " + tool.Hidden
		}
		fmt.Fprintf(&b, "%s %s %s %s\n", tool.Name, tool.Effect, shown, offered)
	}
	holdGolden(t, listFile, b.String())
}

// checkConstructors wants every function that makes a tool to be used by the
// plugin's Tools: one that is forgotten there is offered nowhere.
func checkConstructors(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = string(b)
	}
	forgotten, err := unlisted(sources)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range forgotten {
		t.Errorf("%s makes a tool, but Tools does not list it", name)
	}
}

// unlisted names the functions of a package that make tools and are not
// reached from a method Tools.
func unlisted(sources map[string]string) ([]string, error) {
	uses := map[string][]string{} // the names in a function's body
	var makers []string
	for name, src := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil || (f.Recv != nil && f.Name.Name != "Tools") {
				continue
			}
			if f.Recv == nil && makesTool(f.Type) {
				makers = append(makers, f.Name.Name)
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					uses[f.Name.Name] = append(uses[f.Name.Name], id.Name)
				}
				return true
			})
		}
	}
	reached := map[string]bool{}
	var reach func(string)
	reach = func(name string) {
		if !reached[name] {
			reached[name] = true
			for _, used := range uses[name] {
				reach(used)
			}
		}
	}
	reach("Tools")
	makers = slices.DeleteFunc(makers, func(name string) bool { return reached[name] })
	slices.Sort(makers)
	return makers, nil
}

// makesTool says that a function answers a tools.Tool, or several.
func makesTool(f *ast.FuncType) bool {
	if f.Results == nil {
		return false
	}
	return slices.ContainsFunc(f.Results.List, func(r *ast.Field) bool {
		of := r.Type
		if list, ok := of.(*ast.ArrayType); ok {
			of = list.Elt
		}
		sel, ok := of.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		pkg, ok := sel.X.(*ast.Ident)
		return ok && pkg.Name == "tools" && sel.Sel.Name == "Tool"
	})
}
