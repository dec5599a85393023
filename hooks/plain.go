package hooks

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

//go:embed plain*.html
var plainFiles embed.FS

//go:embed plain.css
var plainCSS string

// plainTemplates are parsed once; the language comes with what they are given.
var plainTemplates = template.Must(template.ParseFS(plainFiles, "plain*.html"))

// plain is a page that the server writes whole, without a script: what a
// person needs before there is a front end that knows them.
type plain struct {
	name   string // of its file, plain_NAME.html
	status int    // 200 unless given
	title  tools.Text
	wrong  error // what a form was refused for; the form is shown again
	form   bool  // it sends one
	view   any   // what the file is filled with
}

// sheet is what a template sees: the page in the reader's language.
type sheet struct {
	Lang         string
	Style        template.CSS
	Title, Wrong string
	Front        string // where the front end is, or the page instead of it
	View         any
	say          func(tools.Text) string
}

// T says a key of the catalogue.
func (s sheet) T(key string, args ...any) string { return s.say(tools.T(key, args...)) }

// Say says a text.
func (s sheet) Say(t tools.Text) string { return s.say(t) }

// show sends a page.
func (a *App) show(e *core.RequestEvent, p plain) error {
	lang := language(e)
	say := func(t tools.Text) string { return a.catalogue.Say(lang, t) }
	s := sheet{Lang: lang, Style: template.CSS(plainCSS), Title: say(p.title), Front: a.frontPath(), View: p.view, say: say}
	code := p.status
	if p.wrong != nil {
		own := a.own(e, p.wrong)
		s.Wrong, code = say(own.Text), status(own.Kind)
	}
	var b bytes.Buffer
	if err := plainTemplates.ExecuteTemplate(&b, "plain_"+p.name+".html", s); err != nil {
		return err
	}
	return plainPage(e, cmp.Or(code, http.StatusOK), b.String(), plainCSS, p.form)
}
