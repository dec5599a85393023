package hooks

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/reader"
	"github.com/nodkeep/nodkeep/tools"
)

const statementCSV = "Date,Description,Amount\n" +
	"2026-01-14,NETFLIX.COM,-15.99\n2026-02-14,NETFLIX.COM,-15.99\n2026-03-14,NETFLIX.COM,-15.99\n2026-04-14,NETFLIX.COM,-15.99\n2026-05-14,NETFLIX.COM,-15.99\n2026-06-14,NETFLIX.COM,-15.99\n"

func TestImport(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	text, err := json.Marshal(map[string]any{"name": "bank.csv", "text": statementCSV, "answers": map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	before := i.entries()
	status, a := i.web("POST", prefix+"/import", ann, string(text))
	want(t, status, a, 200, "")
	if a.len("subscriptions") != 1 || a.str("subscriptions", "0", "status") != "new" || a.str("file") != "bank.csv" {
		t.Fatalf("%s", a)
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	f, _ := w.CreateFormFile("file", "bank.csv")
	_, _ = f.Write([]byte(statementCSV))
	_ = w.WriteField("answers", "{}")
	_ = w.Close()
	status, b := i.web("POST", prefix+"/import", ann, form.String(), "Content-Type", w.FormDataContentType())
	want(t, status, b, 200, "")
	if diff := cmp.Diff(a.any, b.any); diff != "" {
		t.Errorf("text and file differ: %s", diff)
	}
	if i.entries() != before {
		t.Error("reading left a trace")
	}

	// What is applied is known the next time.
	rows, err := json.Marshal(map[string]any{"file": a.at("file"), "fingerprint": a.at("fingerprint"), "subscriptions": a.at("subscriptions")})
	if err != nil {
		t.Fatal(err)
	}
	status, done := i.call("household_import_apply", ann, string(rows))
	want(t, status, done, 200, "")
	_, a = i.web("POST", prefix+"/import", ann, string(text))
	if a.str("subscriptions", "0", "status") != "known" || a.str("subscriptions", "0", "known") == "" {
		t.Errorf("%s", a)
	}

	for name, row := range map[string]struct {
		body, media string
		status      int
		kind        tools.Kind
	}{
		"malformed":      {`{"text":`, "application/json", 400, tools.Invalid},
		"no text":        {`{"text":""}`, "application/json", 400, tools.Invalid},
		"unknown field":  {`{"texts":"x"}`, "application/json", 400, tools.Invalid},
		"no type":        {"Date,Amount", "text/csv", 400, tools.Invalid},
		"broken form":    {"--x\r\n", "multipart/form-data; boundary=x", 400, tools.Invalid},
		"form, no file":  {"--x\r\nContent-Disposition: form-data; name=\"answers\"\r\n\r\n{}\r\n--x--\r\n", "multipart/form-data; boundary=x", 400, tools.Invalid},
		"no boundary":    {"--x\r\n", "multipart/form-data", 400, tools.Invalid},
		"binary":         {`{"text":"\u0000\u0001\u0002"}`, "application/json", 400, tools.Invalid},
		"unknown answer": {`{"text":"Date,Amount\n2026-01-01,1","answers":{"colour":"red"}}`, "application/json", 400, tools.Invalid},
	} {
		status, a := i.web("POST", prefix+"/import", ann, row.body, "Content-Type", row.media)
		if status != row.status || a.str("data", "kind") != string(row.kind) {
			t.Errorf("%s: %d %s", name, status, a)
		}
	}
}

// TestImportIsBounded: files are large, so few are read at a time, none that is
// too large, and none that never comes.
func TestImportIsBounded(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	leave := i.fillDesk()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r := httptest.NewRequest("POST", prefix+"/import", strings.NewReader(`{"text":"x"}`)).WithContext(ctx)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", ann)
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	want(t, w.Code, parse(t, w.Body), 503, tools.Unavailable)
	leave()

	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	for range 3 {
		f, _ := m.CreateFormFile("file", "bank.csv")
		_, _ = f.Write(make([]byte, 23<<20))
	}
	_ = m.Close()
	status, a := i.web("POST", prefix+"/import", ann, form.String(), "Content-Type", m.FormDataContentType())
	want(t, status, a, 413, tools.TooLarge)
	i.fillDesk()() // ends the test where a place was not given back
}

// fillDesk takes all places for files.
func (i *instance) fillDesk() (leave func()) {
	i.t.Helper()
	var leaves []func()
	for range reader.Places {
		leave, err := i.desk.Take(i.t.Context())
		if err != nil {
			i.t.Fatal(err)
		}
		leaves = append(leaves, leave)
	}
	return func() {
		for _, leave := range leaves {
			leave()
		}
	}
}

// TestUploadThatNeverComes holds a place no longer than reading may take.
func TestUploadThatNeverComes(t *testing.T) {
	i := newInstance(t)
	i.reading = 300 * time.Millisecond
	s := httptest.NewServer(i.handler)
	defer s.Close()
	body, never := io.Pipe()
	defer never.Close()
	r, err := http.NewRequest("POST", s.URL+prefix+"/import", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", i.token("ann"))
	start := time.Now()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); resp.StatusCode != 400 || took > 5*time.Second {
		t.Errorf("status %d after %s", resp.StatusCode, took)
	}
}

// TestSlowReading: one that takes too long is given up.
func TestSlowReading(t *testing.T) {
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) { a.reading = time.Nanosecond })
	body := `{"text":"Date,Amount,Text\\n2026-01-01,1,x"}`
	status, a := i.web("POST", prefix+"/import", i.token("ann"), body)
	want(t, status, a, 429, tools.Limit)
}

// TestImportOfNoFile: what has no end or is too large is not even sent.
func TestImportOfNoFile(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	large := filepath.Join(t.TempDir(), "large.csv")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, reader.MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	for path, in := range map[string]string{"/dev/zero": "is a device", m.dir: "is a folder", large: "64 at most"} {
		if r := m.run("import", path, "--as", "ana"); r.code != 1 || !strings.Contains(r.err, in) || r.out != "" {
			t.Errorf("%s: %+v", path, r)
		}
	}
}

// TestRowsOfAnOpenFile: there are none until what it leaves open is answered.
func TestRowsOfAnOpenFile(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	file := filepath.Join(t.TempDir(), "bank.csv")
	open := "Date,Description,Amount\n01/02/2026,NETFLIX.COM,-15.99\n01/03/2026,NETFLIX.COM,-15.99\n01/04/2026,NETFLIX.COM,-15.99\n01/05/2026,NETFLIX.COM,-15.99\n"
	if err := os.WriteFile(file, []byte(open), 0o600); err != nil {
		t.Fatal(err)
	}
	r := m.run("import", file, "--as", "ana", "--rows")
	if r.code != 1 || r.out != "" || !strings.Contains(r.err, "answer with --answer ") {
		t.Fatalf("%+v", r)
	}
	_, rest, _ := strings.Cut(r.err, "--answer ")
	id, choices, _ := strings.Cut(rest, "=CHOICE, one of: ")
	choice, _, _ := strings.Cut(choices, ",")
	if r := m.run("import", file, "--as", "ana", "--rows", "--answer", id+"="+choice); r.code != 0 || !strings.Contains(r.out, "fingerprint") {
		t.Errorf("%+v", r)
	}
}
