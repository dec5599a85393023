package hooks

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
)

// bring sends something to a link as a program or a browser does.
func (i *instance) bring(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	i.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	return w
}

const browserAccept = "text/html,application/xhtml+xml,*/*;q=0.8"

// TestUploadLinkByBrowser: a page, a file, and nothing else of the account.
func TestUploadLinkByBrowser(t *testing.T) {
	i := newUploads(t)
	ann := i.token("ann")
	id, path := i.uploadLink(ann)
	for range 2 { // a look uses nothing up
		w := i.bring("GET", path, "", "Accept", browserAccept, "Accept-Language", "de")
		if w.Code != 200 || !strings.Contains(w.Body.String(), "Konto ann.") || !strings.Contains(w.Body.String(), `type="file"`) {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), id) || len(w.Result().Cookies()) > 0 || strings.Contains(w.Body.String(), "bank.csv") {
			t.Error("the page tells more than it needs")
		}
	}
	form, media := formOf(t, [3]string{"file", "june.csv", statementCSV})
	if w := i.bring("POST", path, form, "Content-Type", media, "Accept", browserAccept, "Sec-Fetch-Site", "cross-site"); w.Code != 403 {
		t.Errorf("another site may use the link: %d", w.Code)
	}
	empty, emptyMedia := formOf(t, [3]string{"file", "", ""})
	if w := i.bring("POST", path, empty, "Content-Type", emptyMedia, "Accept", browserAccept); w.Code != 400 || !strings.Contains(w.Body.String(), `type="file"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w := i.bring("POST", path, form, "Content-Type", media, "Accept", browserAccept, "Sec-Fetch-Site", "same-origin")
	if w.Code != 200 || !strings.Contains(w.Body.String(), "The file is there") || len(w.Result().Cookies()) > 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	status, a := i.web("GET", prefix+"/uploads/"+id, ann, "")
	if want(t, status, a, 200, ""); a.str("name") != "june.csv" || a.str("state") != "ready" {
		t.Errorf("%s", a)
	}
}

// TestUploadLinkByProgram: curl -T FILE LINK, or -F file=@FILE.
func TestUploadLinkByProgram(t *testing.T) {
	i := newUploads(t)
	ann := i.token("ann")
	form, media := formOf(t, [3]string{"file", "june.csv", "a,b"})
	for name, row := range map[string]struct{ method, query, body, media, want string }{
		"put":           {"PUT", "", "a,b", "", "bank.csv"},
		"put by a name": {"PUT", "?name=june.csv", "a,b", "", "june.csv"},
		"post":          {"POST", "", "a,b", "application/x-www-form-urlencoded", "bank.csv"},
		"form":          {"POST", "", form, media, "june.csv"},
	} {
		id, path := i.uploadLink(ann)
		w := i.bring(row.method, path+row.query, row.body, "Content-Type", row.media, "Accept", "*/*")
		if a := parse(t, w.Body); w.Code != 200 || a.str("upload") != id {
			t.Errorf("%s: %d %s", name, w.Code, a)
		}
		_, a := i.web("GET", prefix+"/uploads/"+id, ann, "")
		if a.str("name") != row.want || a.at("size") != float64(3) {
			t.Errorf("%s: %s", name, a)
		}
	}
}

// TestUploadLinksAreOver: used, unknown and mistyped ones look alike, to
// browsers and programs, and take nothing of a body.
func TestUploadLinksAreOver(t *testing.T) {
	i := newUploads(t)
	_, used := i.uploadLink(i.token("ann"))
	if w := i.bring("PUT", used, "x"); w.Code != 200 {
		t.Fatal(w.Code)
	}
	page, program := "", ""
	for _, path := range []string{used, upload.Path + tools.NewSecret(), upload.Path + "x", upload.Path + "%00", upload.Path + strings.Repeat("x", 2000)} {
		for _, method := range []string{"GET", "POST"} {
			w := i.bring(method, path, "", "Accept", browserAccept)
			if page == "" {
				page = w.Body.String()
			}
			if w.Code != http.StatusGone || w.Body.String() != page || strings.Contains(page, "ann") {
				t.Errorf("%s %.60s: %d", method, path, w.Code)
			}
		}
		w := i.bring("PUT", path, strings.Repeat("x", upload.MaxBytes+1))
		if program == "" {
			program = w.Body.String()
		}
		if w.Code != http.StatusGone || w.Body.String() != program {
			t.Errorf("PUT %.60s: %d %s", path, w.Code, w.Body)
		}
	}
	_, path := i.uploadLink(i.token("ann"))
	if w := i.bring("PUT", path, strings.Repeat("x", upload.MaxBytes+1)); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := i.bring("PUT", path, strings.Repeat("x", upload.MaxBytes)); w.Code != 200 {
		t.Errorf("the largest: %d %s", w.Code, w.Body)
	}
	for _, method := range []string{"PATCH", "DELETE"} {
		if w := i.bring(method, path, ""); w.Code < 400 || w.Code == http.StatusGone {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

// TestUploadSecretIsNotLogged: it stands in no log, however the address is written.
func TestUploadSecretIsNotLogged(t *testing.T) {
	i := newUploads(t)
	_, path := i.uploadLink(i.token("ann"))
	secret := strings.TrimPrefix(path, upload.Path)
	for _, at := range []string{path, path + "/", "/x" + path, "/UPLOAD/" + secret, path + "?name=x"} {
		i.bring("GET", at, "")
		i.bring("DELETE", at, "")
		r := httptest.NewRequest("GET", at, nil)
		if shown := withoutSecrets(r.URL); shown == nil || strings.Contains(shown.String(), secret) {
			t.Errorf("%s: %v", at, shown)
		}
	}
}

// TestNoUploadLinkWithoutServer: it would lead nowhere.
func TestNoUploadLinkWithoutServer(t *testing.T) {
	i := newInstance(t)
	status, a := i.web("POST", prefix+"/uploads/link", i.token("ann"), "")
	want(t, status, a, 503, tools.Unavailable)
}
