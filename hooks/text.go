package hooks

import (
	"embed"
	"io/fs"
	"slices"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

//go:embed locales
var ownLocales embed.FS

func locales() fs.FS { return apis.MustSubFS(ownLocales, "locales") }

// texts gives the catalogue of a language; of the whole, what the web front end
// says is a fraction. It is public: the page to sign in needs it.
func (a *App) texts(e *core.RequestEvent) (any, error) {
	lang := e.Request.PathValue("lang")
	if !slices.Contains(i18n.Languages(), lang) {
		return nil, tools.Fail(tools.NotFound, "http.language")
	}
	all := a.catalogue.Texts(lang)
	if a.front == nil {
		return all, nil
	}
	return a.front.texts(all, lang, e.Request.URL.Query().Get("for") == "web")
}
