package hooks

import (
	"encoding/json/v2"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"
)

// paths are the routes of the front end: one for each file and folder at the
// top, so that every other address stays what it is.
func (f *front) paths() ([]string, error) {
	entries, err := fs.ReadDir(f.public, ".")
	if err != nil {
		return nil, fmt.Errorf("read the web front end: %w", err)
	}
	paths := []string{"/{$}", "/" + extFolder + "/{path...}"}
	for _, e := range entries {
		switch name := e.Name(); {
		case !isServed(name, e.IsDir()) || name == indexFile:
		case e.IsDir():
			paths = append(paths, "/"+name+"/{path...}")
		default:
			paths = append(paths, "/"+name)
		}
	}
	return paths, nil
}

// serve gives a file. A browser asks each time whether it is still the same, as
// files of two versions do not fit together.
func (f *front) serve(e *core.RequestEvent, at string) error {
	b, err := f.load()
	if err != nil {
		return err
	}
	name := strings.TrimPrefix(strings.TrimPrefix(e.Request.URL.Path, at), "/")
	if name == "" {
		name = indexFile
	}
	file, ok := b.files[name]
	if !ok {
		return e.NotFoundError("", nil)
	}
	h := e.Response.Header()
	h.Set("Content-Type", file.media)
	h.Set("Cache-Control", "no-cache")
	h.Add("Vary", "Accept-Encoding")
	data, tag := file.data, file.tag
	if file.packed != nil && takesGzip(e.Request.Header.Get("Accept-Encoding")) {
		data, tag = file.packed(), tag+"-gzip"
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", strconv.Quote(tag))
	if strings.Contains(e.Request.Header.Get("If-None-Match"), strconv.Quote(tag)) {
		h.Del("Content-Encoding")
		return e.NoContent(http.StatusNotModified)
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	e.Response.WriteHeader(http.StatusOK)
	_, err = e.Response.Write(data)
	return err
}

// takesGzip reads an Accept-Encoding header.
func takesGzip(accept string) bool {
	for one := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(one, ";")
		if strings.TrimSpace(name) != "gzip" {
			continue
		}
		q, isQ := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
		v, err := strconv.ParseFloat(q, 64)
		return !isQ || err == nil && v > 0
	}
	return false
}

// texts adds to the sentences of the catalogue in lang those that only the front
// end says, which nobody else needs in memory. With named, those alone are left
// that a script names, whole or by a beginning that ends with a point.
func (f *front) texts(all map[string]any, lang string, named bool) (map[string]any, error) {
	data, err := fs.ReadFile(f.public, "locales/"+lang+".json")
	if err != nil {
		return nil, fmt.Errorf("read the sentences of the web front end: %w", err)
	}
	own := map[string]any{}
	if err := json.Unmarshal(data, &own); err != nil {
		return nil, fmt.Errorf("read the sentences of the web front end: %s.json: %w", lang, err)
	}
	maps.Copy(all, own)
	if !named {
		return all, nil
	}
	b, err := f.load()
	if err != nil {
		return nil, err
	}
	says := b.named()
	maps.DeleteFunc(all, func(key string, _ any) bool { return !says.says(key) })
	return all, nil
}
