package hooks

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// page says to a person with a browser what runs here and how to go on. It
// has no script, and one style that the policy names by its content.
func (a *App) page(e *core.RequestEvent) error {
	lang := language(e)
	say := func(key string) string { return a.catalogue.Say(lang, tools.T(key)) }
	n, err := a.pb.CountRecords(users, dbx.HashExp{"status": tools.Approved})
	if err != nil {
		return err
	}
	t, err := template.New("page").Funcs(template.FuncMap{"say": say}).Parse(pageHTML)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		Lang  string
		Style template.CSS
		First bool
	}{lang, template.CSS(pageCSS), n == 0})
	if err != nil {
		return err
	}
	return plainPage(e, http.StatusOK, b.String(), pageCSS, false)
}
