package hooks

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
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
	sum := sha256.Sum256([]byte(pageCSS))
	h := e.Response.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept-Language")
	return e.HTML(http.StatusOK, b.String())
}
