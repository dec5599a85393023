package hooks

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json/v2"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/nodkeep/nodkeep/tools"
)

// front is the web front end with the pages of plugins.
type front struct {
	at     string // the folder in which it is served; "" is the top
	public fs.FS
	load   func() (*webFiles, error)
}

// newFront takes the files of public, or of the folder dir where there is one,
// which is read anew for each answer. Nothing is read before somebody asks.
func newFront(public fs.FS, dir string, plugins []tools.Plugin) *front {
	if dir != "" {
		public = os.DirFS(dir)
	}
	f := &front{public: public, load: func() (*webFiles, error) { return readWebFiles(public, plugins) }}
	if dir == "" {
		f.load = sync.OnceValues(f.load)
	}
	return f
}

// webFiles are all files by name, and what stands for just these.
type webFiles struct {
	files   map[string]*file
	version string
	named   func() named
}

type file struct {
	data   []byte
	media  string
	tag    string
	packed func() []byte // compressed with gzip; nil where that gains nothing
}

const (
	worker       = "sw.js" // begins with what it has to keep
	indexFile    = "index.html"
	othersFolder = "third_party/" // scripts that are not ours, as they came
)

func readWebFiles(public fs.FS, plugins []tools.Plugin) (*webFiles, error) {
	b := &webFiles{files: map[string]*file{}}
	b.named = sync.OnceValue(b.readNamed)
	if err := b.read(public, ""); err != nil {
		return nil, fmt.Errorf("read the web front end: %w", err)
	}
	for _, p := range plugins {
		if err := b.read(pagesOf(p), extFolder+"/"+p.Name()+"/"); err != nil {
			return nil, fmt.Errorf("read the web pages of %s: %w", p.Name(), err)
		}
	}
	b.preload()
	return b, b.seal()
}

// read adds the files that browsers may have: no locales, which are in the
// catalogue, and nothing hidden.
func (b *webFiles) read(from fs.FS, under string) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && !isServed(name, true):
			return fs.SkipDir
		case d.IsDir() || !isServed(name, false):
			return nil
		}
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		if ext := path.Ext(name); (ext == ".js" || ext == ".css") && !strings.HasPrefix(name, othersFolder) {
			data = bare(data)
		}
		b.files[under+name] = newFile(name, data)
		return nil
	})
}

// isServed says that browsers may have a file, or what is in a folder.
func isServed(name string, dir bool) bool {
	base := path.Base(name)
	return !strings.HasPrefix(base, ".") && (dir && base != "locales" || !dir && mediaOf(base) != "")
}

// mediaOf says what a file of the front end is, "" what is none of it. What a
// machine says of file names is not asked: it may say otherwise.
func mediaOf(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".woff2":
		return "font/woff2"
	case ".webmanifest":
		return "application/manifest+json"
	}
	return ""
}

func newFile(name string, data []byte) *file {
	sum := sha256.Sum256(data)
	f := &file{data: data, media: mediaOf(name), tag: hex.EncodeToString(sum[:12])}
	if ext := path.Ext(name); ext != ".png" && ext != ".woff2" {
		f.packed = sync.OnceValue(func() []byte {
			var out bytes.Buffer
			w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is one there is
			_, _ = w.Write(data)                                    // to memory
			_ = w.Close()
			return out.Bytes()
		})
	}
	return f
}

// seal names the whole by what is in it, and tells the worker of the browser,
// which keeps the files, what they are: another file is another worker.
func (b *webFiles) seal() error {
	sum := sha256.New()
	names := b.names()
	for _, name := range names {
		fmt.Fprintln(sum, name, b.files[name].tag)
	}
	b.version = hex.EncodeToString(sum.Sum(nil)[:12])
	w, ok := b.files[worker]
	if !ok {
		return nil
	}
	list, err := json.Marshal(slices.DeleteFunc(names, func(name string) bool { return name == worker || name == indexFile }))
	if err != nil {
		return err
	}
	b.files[worker] = newFile(worker, fmt.Appendf(nil, "const VERSION = %q, FILES = %s;\n%s", b.version, list, w.data))
	return nil
}

func (b *webFiles) names() []string {
	names := make([]string, 0, len(b.files))
	for name := range b.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
