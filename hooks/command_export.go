package hooks

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/tools"
)

// exporting is what the command was told.
type exporting struct {
	as, format, out string
	force           bool
}

func (a *App) exportCommand() *cobra.Command {
	var x exporting
	c := &cobra.Command{
		Use: "export", Short: "Writes all that the member sees: as JSON, which restore takes, or as CSV for spreadsheets", Args: wants(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			switch x.format {
			case "json":
				return a.exportJSON(c.Context(), x)
			case "csv":
				return a.exportCSV(c.Context(), x)
			}
			return fmt.Errorf("--format %s: write json or csv", x.format)
		},
	}
	asFlag(c, &x.as)
	c.Flags().StringVar(&x.format, "format", "json", "json or csv")
	c.Flags().StringVar(&x.out, "out", "", "the file to write, or the folder for the files of CSV; standard output unless given")
	c.Flags().BoolVar(&x.force, "force", false, "overwrites what is there")
	return c
}

// exporters are the plugins that export, by name.
func (a *App) exporters() (names []string, exports map[string]tools.Export, err error) {
	exports = map[string]tools.Export{}
	for _, p := range a.chosen() {
		if e, is := p.(tools.Exporter); is {
			names, exports[p.Name()] = append(names, p.Name()), e.Export()
		}
	}
	if len(names) == 0 {
		err = failure{errors.New("no plugin has an export")}
	}
	return names, exports, err
}

// gather reads an export to its end, part by part.
func (a *App) gather(ctx context.Context, x exporting, tool string, part func(map[string]jsontext.Value) error) error {
	for cursor, first := "", true; first || cursor != ""; first = false {
		body, err := json.Marshal(map[string]string{"format": x.format, "cursor": cursor})
		if err != nil {
			return failed(err)
		}
		status, b, err := a.send(ctx, request{method: "POST", path: "/tools/" + tool, as: x.as, body: strings.NewReader(string(body))})
		if err != nil {
			return err
		}
		if status != http.StatusOK {
			return a.refuse(b)
		}
		var answer struct {
			Output map[string]jsontext.Value `json:"output"`
		}
		var more struct {
			Next string   `json:"next"`
			Lost []string `json:"lost"`
		}
		if err = json.Unmarshal(b, &answer); err == nil {
			err = part(answer.Output)
		}
		if next := answer.Output["next"]; err == nil && next != nil {
			err = json.Unmarshal(next, &more.Next)
		}
		if lost := answer.Output["lost"]; err == nil && lost != nil {
			if err = json.Unmarshal(lost, &more.Lost); err == nil {
				fmt.Fprintln(a.Stderr, "These files are named but not there, and so not in the export:", visible(strings.Join(more.Lost, ", ")))
			}
		}
		if err != nil {
			return failed(err)
		}
		cursor = more.Next
	}
	return nil
}

func (a *App) exportJSON(ctx context.Context, x exporting) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	if err := x.free(x.out); err != nil {
		return failed(err)
	}
	names, exports, err := a.exporters()
	if err != nil {
		return err
	}
	whole, says := map[string]jsontext.Value{}, []string{}
	for _, name := range names {
		b := newBundle(exports[name])
		err := a.gather(ctx, x, b.export.Give, func(out map[string]jsontext.Value) error { return b.add(out[name]) })
		if err != nil {
			return err
		}
		if whole[name], err = b.json(); err != nil {
			return failed(err)
		}
		says = append(says, name+": "+b.says())
	}
	file, err := json.Marshal(whole, json.Deterministic(true))
	if err != nil {
		return failed(err)
	}
	if x.out == "" {
		return a.print(file)
	}
	if err := (*jsontext.Value)(&file).Indent(jsontext.WithIndent("  ")); err != nil {
		return failed(err)
	}
	if err := x.write(x.out, append(file, '\n')); err != nil {
		return failed(err)
	}
	if !a.reads() {
		return a.printed(map[string]any{"files": []string{x.out}})
	}
	return a.say("Wrote %s\n  %s\nIt holds what %s sees, private things too. To bring it back elsewhere:\n  %s\n", x.out, strings.Join(says, "\n  "), x.as,
		a.command("restore "+quoted(x.out)+" --as "+quoted(x.as)))
}

func (a *App) printed(v any) error {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return failed(err)
	}
	return a.print(b)
}

// free says that a file may be written; "" is standard output.
func (x exporting) free(path string) error {
	info, err := os.Stat(path)
	switch {
	case path == "" || errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder: give a file", path)
	case !x.force:
		return fmt.Errorf("%s is there already; --force overwrites it", path)
	}
	return nil
}

// write stores a file that only its owner reads. What is there is replaced in
// one step, or not at all.
func (x exporting) write(path string, content []byte) (err error) {
	var f *os.File
	if x.force {
		f, err = os.CreateTemp(filepath.Dir(path), ".nodkeep-export-*") // of mode 600
	} else {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil && x.force {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
