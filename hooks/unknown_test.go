package hooks

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestUnknownAPI: what the API does not have is an error in JSON, also where an
// app serves its page for every address.
func TestUnknownAPI(t *testing.T) {
	for name, i := range map[string]*instance{"alone": newInstance(t), "with an app": withWeb(t)} {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE"} {
			for _, path := range []string{"/api", "/api/", "/api/nope", "/api/nope/at/all", "/api/collections/users/nope", "/api/nodkeepers"} {
				status, a := i.web(method, path, "", "")
				if status != 404 || a.at("status") != 404.0 || a.str("message") == "" || a.at("data") == nil {
					t.Errorf("%s: %s %s: %d %s", name, method, path, status, a)
				}
			}
			for _, path := range []string{prefix + "/nope", prefix + "/tools/x/y"} {
				status, a := i.web(method, path, "", "")
				want(t, status, a, 404, tools.NotFound)
			}
		}
		w := httptest.NewRecorder()
		i.handler.ServeHTTP(w, httptest.NewRequest("HEAD", "/api/nope", nil))
		if w.Code != 404 || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
			t.Errorf("%s: HEAD: %d %v", name, w.Code, w.Header())
		}
		if status, a := i.web("GET", "/api/health", "", ""); status != 200 {
			t.Errorf("%s: %s", name, a)
		}
	}
	w := httptest.NewRecorder()
	withWeb(t).handler.ServeHTTP(w, httptest.NewRequest("GET", "/apiary", nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), "An app") {
		t.Errorf("a page of the app is taken from it: %d %s", w.Code, w.Body)
	}
}

// TestRoutesOfAnApp go on, whatever methods they take.
func TestRoutesOfAnApp(t *testing.T) {
	i := newInstance(t)
	router, err := apis.NewRouter(i.pb)
	if err != nil {
		t.Fatal(err)
	}
	router.Any("/api/theirs/{path...}", func(e *core.RequestEvent) error { return e.JSON(200, map[string]bool{"theirs": true}) })
	if err := i.bindRoutes(router); err != nil {
		t.Fatal(err)
	}
	if i.handler, err = router.BuildMux(); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"GET", "POST", "DELETE"} {
		if status, a := i.web(method, "/api/theirs/x", "", ""); status != 200 || a.at("theirs") != true {
			t.Errorf("%s: %d %s", method, status, a)
		}
	}
}
