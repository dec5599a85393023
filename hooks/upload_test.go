package hooks

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
)

// newUploads is an instance that can make links.
func newUploads(t *testing.T) *instance {
	t.Helper()
	i := newInstance(t)
	i.base = "http://home.example"
	return i
}

// formOf is a form with these parts, each a name, a file's name and a content.
func formOf(t testing.TB, parts ...[3]string) (body, media string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		part, err := w.CreateFormFile(p[0], p[1])
		if err == nil {
			_, err = io.WriteString(part, p[2])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

// uploadLink makes a link and gives the upload's id and the path.
func (i *instance) uploadLink(token string) (id, path string) {
	i.t.Helper()
	status, a := i.web("POST", prefix+"/uploads/link", token, `{"name":"bank.csv"}`)
	want(i.t, status, a, 200, "")
	path, ok := strings.CutPrefix(a.str("link"), i.base)
	if !ok {
		i.t.Fatal(a)
	}
	return a.str("upload"), path
}

func TestUploads(t *testing.T) {
	i := newUploads(t)
	ann, bob := i.token("ann"), i.token("bob")
	status, a := i.web("POST", prefix+"/uploads?name=may.csv", ann, statementCSV, "Content-Type", "text/csv")
	want(t, status, a, 200, "")
	id := a.str("id")
	if a.str("name") != "may.csv" || a.str("type") != "text/csv" || a.str("state") != "ready" || a.at("size") != float64(len(statementCSV)) {
		t.Errorf("%s", a)
	}
	body, media := formOf(t, [3]string{"file", `..\..\june.csv`, statementCSV})
	status, a = i.web("POST", prefix+"/uploads", ann, body, "Content-Type", media)
	want(t, status, a, 200, "")
	if a.str("name") != "june.csv" {
		t.Errorf("%s", a)
	}
	status, a = i.web("GET", prefix+"/uploads", ann, "")
	if want(t, status, a, 200, ""); a.len("items") != 2 || strings.Contains(a.String(), "NETFLIX") || strings.Contains(a.String(), "hash") {
		t.Errorf("%s", a)
	}
	status, a = i.web("GET", prefix+"/uploads", bob, "")
	if want(t, status, a, 200, ""); a.len("items") != 0 {
		t.Errorf("%s", a)
	}
	status, a = i.web("GET", prefix+"/uploads/"+id, ann, "")
	if want(t, status, a, 200, ""); a.str("id") != id {
		t.Errorf("%s", a)
	}
	for _, method := range []string{"GET", "DELETE"} {
		status, a = i.web(method, prefix+"/uploads/"+id, bob, "")
		want(t, status, a, 404, tools.NotFound)
		status, a = i.web(method, prefix+"/uploads/"+id, "", "")
		want(t, status, a, 401, tools.Unauthorized)
		status, a = i.web(method, prefix+"/uploads/nothing", ann, "")
		want(t, status, a, 404, tools.NotFound)
	}
	status, a = i.web("DELETE", prefix+"/uploads/"+id, ann, "")
	want(t, status, a, 200, "")
	status, a = i.web("GET", prefix+"/uploads/"+id, ann, "")
	want(t, status, a, 404, tools.NotFound)
	// Not by PocketBase's own ways either.
	for _, token := range []string{ann, ""} {
		if status, a := i.web("GET", "/api/collections/"+tools.UploadsTable+"/records", token, ""); status == 200 {
			t.Errorf("%s", a)
		}
	}
}

func TestUploadsRefused(t *testing.T) {
	i := newUploads(t)
	ann := i.token("ann")
	two, twoMedia := formOf(t, [3]string{"file", "a.csv", "a"}, [3]string{"file", "b.csv", "b"})
	other, otherMedia := formOf(t, [3]string{"statement", "a.csv", "a"})
	empty, emptyMedia := formOf(t, [3]string{"file", "", ""})
	large, largeMedia := formOf(t, [3]string{"file", "a.csv", strings.Repeat("x", upload.MaxBytes+1)})
	for name, row := range map[string]struct {
		token, body, media string
		status             int
		kind               tools.Kind
	}{
		"nobody":         {"", "x", "text/csv", 401, tools.Unauthorized},
		"a superuser":    {i.superuser(), "x", "text/csv", 403, tools.Forbidden},
		"a wrong token":  {"nk_" + strings.Repeat("a", 43), "x", "text/csv", 401, tools.Unauthorized},
		"empty":          {ann, "", "text/csv", 400, tools.Invalid},
		"no form":        {ann, "x", "multipart/form-data; boundary=x", 400, tools.Invalid},
		"no file":        {ann, "--x--\r\n", "multipart/form-data; boundary=x", 400, tools.Invalid},
		"cut off":        {ann, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nabc", "multipart/form-data; boundary=x", 400, tools.Invalid},
		"another part":   {ann, other, otherMedia, 400, tools.Invalid},
		"two files":      {ann, two, twoMedia, 400, tools.Invalid},
		"an empty file":  {ann, empty, emptyMedia, 400, tools.Invalid},
		"a large file":   {ann, large, largeMedia, 413, tools.TooLarge},
		"a large body":   {ann, strings.Repeat("x", upload.MaxBytes+1), "text/csv", 413, tools.TooLarge},
		"a body of 100M": {ann, strings.Repeat("x", 100<<20), "text/csv", 413, tools.TooLarge},
	} {
		status, a := i.web("POST", prefix+"/uploads", row.token, row.body, "Content-Type", row.media)
		if status != row.status || a.str("data", "kind") != string(row.kind) {
			t.Errorf("%s: %d %.200s", name, status, a)
		}
	}
	// A length that is a lie, or none, does not help.
	r := httptest.NewRequest("POST", prefix+"/uploads", io.LimitReader(endless{}, 200<<20))
	r.ContentLength = -1
	r.Header.Set("Authorization", ann)
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	want(t, w.Code, parse(t, w.Body), 413, tools.TooLarge)
	for _, body := range []string{`{"names":"x"}`, `{"name":`, `[]`, `{"name":7}`} {
		status, a := i.web("POST", prefix+"/uploads/link", ann, body)
		want(t, status, a, 400, tools.Invalid)
	}
	status, a := i.web("GET", prefix+"/uploads", ann, "")
	if want(t, status, a, 200, ""); a.len("items") != 0 {
		t.Errorf("something stayed: %s", a)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestUploadOfAnAccountThatIsGone goes with it.
func TestUploadOfAnAccountThatIsGone(t *testing.T) {
	i := newUploads(t)
	ann := i.token("ann")
	status, a := i.web("POST", prefix+"/uploads", ann, "x")
	want(t, status, a, 200, "")
	_, path := i.uploadLink(ann)
	if err := i.pb.Delete(i.user("ann")); err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := i.pb.DB().Select("count(*)").From(tools.UploadsTable).Row(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows, %v", rows, err)
	}
	if left, err := filepath.Glob(filepath.Join(i.dir, "storage", tools.UploadsTable, "*")); err != nil || len(left) != 0 {
		t.Errorf("%v %v", left, err)
	}
	if code, _, _ := (&visitor{i: i}).do("GET", path, nil); code != http.StatusGone {
		t.Errorf("its link: %d", code)
	}
}

// TestUploadEndsWithItsAccount: what is on its way when its person is suspended
// is not taken, by whatever door.
func TestUploadEndsWithItsAccount(t *testing.T) {
	i := newUploads(t)
	_, path := i.uploadLink(i.token("ann"))
	s := httptest.NewServer(i.handler)
	defer s.Close()
	body, more := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), "PUT", s.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan int, 1)
	go func() {
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			answered <- 0
			return
		}
		_ = resp.Body.Close()
		answered <- resp.StatusCode
	}()
	if _, err := more.Write([]byte("Date,Amount\n")); err != nil {
		t.Fatal(err)
	}
	for coming := 0; coming == 0; {
		if err := i.pb.DB().Select("count(*)").From(tools.UploadsTable).Where(dbx.HashExp{"state": "coming"}).Row(&coming); err != nil {
			t.Fatal(err)
		}
	}
	i.stand("ann", "suspended")
	_ = more.Close()
	if code := <-answered; code == 200 {
		t.Error("it was taken")
	}
	var ready int
	if err := i.pb.DB().Select("count(*)").From(tools.UploadsTable).Where(dbx.HashExp{"state": "ready"}).Row(&ready); err != nil || ready != 0 {
		t.Errorf("%d ready, %v", ready, err)
	}
}

// TestUploadThatStops: one that does not come is given up, and its link is good
// again.
func TestUploadThatStops(t *testing.T) {
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) { a.coming = 300 * time.Millisecond })
	i.base = "http://home.example"
	_, path := i.uploadLink(i.token("ann"))
	s := httptest.NewServer(i.handler)
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	body, never := io.Pipe()
	defer func() { _ = never.Close() }()
	r, err := http.NewRequestWithContext(ctx, "PUT", s.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 400 {
		t.Errorf("status %d", resp.StatusCode)
	}
	if code, _, _ := (&visitor{i: i}).do("GET", path, nil); code != 200 {
		t.Errorf("the link is used up: %d", code)
	}
}
