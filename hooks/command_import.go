package hooks

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant/reader"
)

func (a *App) importCommand() *cobra.Command {
	var as, assistant string
	var answers []string
	var rows bool
	c := &cobra.Command{
		Use: "import FILE", Short: "Reads a statement and prints what it found for review; writes nothing", Args: wants(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			given := map[string]string{}
			for _, s := range answers {
				id, choice, ok := strings.Cut(s, "=")
				if !ok {
					return fmt.Errorf("--answer %s: write ID=CHOICE", s)
				}
				given[id] = choice
			}
			return a.importFile(c.Context(), args[0], as, assistant, given, rows)
		},
	}
	asFlag(c, &as)
	c.Flags().StringArrayVar(&answers, "answer", nil, "ID=CHOICE, the answer to a question that the file left open; may be repeated")
	c.Flags().StringVar(&assistant, "assistant", "", "ID of an assistant that the file is shown to: it leaves this machine, unless the model is on it")
	c.Flags().BoolVar(&rows, "rows", false, "prints only what the tool that applies the list takes")
	return c
}

func (a *App) importFile(ctx context.Context, path, as, assistant string, answers map[string]string, rows bool) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	f, err := openStatement(path)
	if err != nil {
		return failed(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	body, media, err := form(filepath.Base(path), f, assistant, answers)
	if err != nil {
		return failed(err)
	}
	status, b, err := a.send(ctx, request{method: "POST", path: "/import", as: as, body: body, media: media})
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return a.refuse(b)
	}
	var r review
	if err := json.Unmarshal(b, &r); err != nil {
		return failed(err)
	}
	a.tellQuestions(r)
	switch {
	case rows && len(r.Questions) > 0:
		return failure{errors.New("there are no rows yet: answer what the file leaves open")}
	case rows:
		if b, err = onlyRows(b); err != nil {
			return failed(err)
		}
	case a.reads():
		return a.tellReview(r, path, as, assistant)
	}
	return a.print(b)
}

// openStatement opens what can be a statement: a file that is not too large, or
// a pipe.
func openStatement(path string) (*os.File, error) {
	if err := readable(path, reader.MaxBytes, ": export a shorter period"); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// readable refuses what is no file to read: of anything else there is no end,
// or no beginning. What to do about one that is too large is said at the end.
func readable(path string, most int64, instead string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder: give a file", path)
	case !info.Mode().IsRegular() && info.Mode()&fs.ModeNamedPipe == 0:
		return fmt.Errorf("%s is a device: give a file", path)
	case info.Size() > most:
		return fmt.Errorf("%s has %d MB, and %d at most can be read%s", path, info.Size()>>20, most>>20, instead)
	}
	return nil
}

// onlyRows is the part of a review that becomes the arguments of an import's
// tool, for a shell to pass on.
func onlyRows(b []byte) ([]byte, error) {
	var review struct {
		File          jsontext.Value `json:"file"`
		Fingerprint   jsontext.Value `json:"fingerprint"`
		Subscriptions jsontext.Value `json:"subscriptions"`
	}
	if err := json.Unmarshal(b, &review); err != nil {
		return nil, err
	}
	return json.Marshal(review)
}

// form is a multipart body that reads the file only as it is sent.
func form(name string, file io.Reader, assistant string, answers map[string]string) (body io.Reader, media string, err error) {
	given, err := json.Marshal(answers)
	if err != nil {
		return nil, "", err
	}
	var head bytes.Buffer
	w := multipart.NewWriter(&head)
	if err := w.WriteField("answers", string(given)); err != nil {
		return nil, "", err
	}
	if assistant != "" {
		if err := w.WriteField("assistant", assistant); err != nil {
			return nil, "", err
		}
	}
	if _, err := w.CreateFormFile("file", name); err != nil {
		return nil, "", err
	}
	tail := "\r\n--" + w.Boundary() + "--\r\n"
	return io.MultiReader(&head, file, strings.NewReader(tail)), w.FormDataContentType(), nil
}
