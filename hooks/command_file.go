package hooks

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// withFiles puts files into the arguments of a call, each as name=path. A file
// that cannot be read is a failure; anything else is one of usage.
func (a *App) withFiles(ctx context.Context, as, tool string, body []byte, files []string) ([]byte, error) {
	if len(files) == 0 {
		return body, nil
	}
	args := map[string]jsontext.Value{}
	if err := json.Unmarshal(body, &args); err != nil || args == nil {
		return nil, errors.New("the arguments beside --file must be a JSON object")
	}
	paths := map[string]string{}
	for _, f := range files {
		name, path, ok := strings.Cut(f, "=")
		if !ok || name == "" || path == "" {
			return nil, fmt.Errorf("--file %s: write the argument's name, = and the path, such as file=rates.csv", f)
		}
		if args[name] != nil || paths[name] != "" {
			return nil, fmt.Errorf("--file %s: %s is given twice", f, name)
		}
		paths[name] = path
	}
	uploads, err := a.uploadsOf(ctx, as, tool)
	if err != nil {
		return nil, err
	}
	for name, path := range paths {
		if args[name], err = readArgument(path, uploads[name]); err != nil {
			return nil, failure{fmt.Errorf("--file %s=%s: %w", name, path, err)}
		}
	}
	return json.Marshal(args, json.Deterministic(true))
}

// uploadsOf names the arguments of a tool that are files. Of a tool that is
// none it has nothing to say: the call does.
func (a *App) uploadsOf(ctx context.Context, as, tool string) (map[string]bool, error) {
	status, b, err := a.send(ctx, request{method: "GET", path: "/tools", as: as})
	if err != nil || status != http.StatusOK {
		return nil, err
	}
	var found struct {
		Items []struct {
			Name  string `json:"name"`
			Input struct {
				Properties map[string]struct {
					Properties map[string]struct {
						Encoding string `json:"contentEncoding"`
					} `json:"properties"`
				} `json:"properties"`
			} `json:"input"`
		} `json:"items"`
	}
	if err := json.Unmarshal(b, &found); err != nil {
		return nil, failed(err)
	}
	uploads := map[string]bool{}
	for _, t := range found.Items {
		if t.Name != tool {
			continue
		}
		for name, p := range t.Input.Properties {
			uploads[name] = p.Properties["data"].Encoding != ""
		}
	}
	return uploads, nil
}

// maxCall is more than any tool takes: what a command reads to send it.
const maxCall = 12 << 20

// readArgument reads a file as an argument: its text, or name and content for
// one that is a file. More than a call can take is refused before it is read.
func readArgument(path string, upload bool) (jsontext.Value, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	b, err := io.ReadAll(io.LimitReader(f, maxCall+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > maxCall:
		return nil, fmt.Errorf("it has more than %d bytes", maxCall)
	case upload:
		return json.Marshal(tools.Upload{Name: filepath.Base(path), Data: b})
	case !utf8.Valid(b):
		return nil, errNoText
	}
	return json.Marshal(string(b))
}
