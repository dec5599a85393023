package hooks

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func (a *App) importCommand() *cobra.Command {
	var as string
	var answers []string
	var rows bool
	c := &cobra.Command{
		Use: "import FILE", Short: "Reads a statement and prints what it found for review; writes nothing", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			given := map[string]string{}
			for _, s := range answers {
				id, choice, ok := strings.Cut(s, "=")
				if !ok {
					return fmt.Errorf("--answer %s: write ID=CHOICE", s)
				}
				given[id] = choice
			}
			if err := a.needsFolder(); err != nil {
				return err
			}
			f, err := os.Open(args[0])
			if err != nil {
				return failed(err)
			}
			defer func() { _ = f.Close() }() // it was only read
			body, media, err := form(filepath.Base(args[0]), f, given)
			if err != nil {
				return failed(err)
			}
			status, b, err := a.send(c.Context(), request{method: "POST", path: "/import", as: as, body: body, media: media})
			if err != nil {
				return err
			}
			if status != http.StatusOK {
				return a.refuse(b)
			}
			a.tellQuestions(b)
			if rows {
				if b, err = onlyRows(b); err != nil {
					return failed(err)
				}
			}
			return a.print(b)
		},
	}
	c.Flags().StringVar(&as, "as", "", "the member who imports: a handle or an e-mail address")
	c.Flags().StringArrayVar(&answers, "answer", nil, "ID=CHOICE, the answer to a question that the file left open; may be repeated")
	c.Flags().BoolVar(&rows, "rows", false, "prints only what the tool that applies the list takes")
	_ = c.MarkFlagRequired("as") // the flag is there
	return c
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
func form(name string, file io.Reader, answers map[string]string) (body io.Reader, media string, err error) {
	given, err := json.Marshal(answers)
	if err != nil {
		return nil, "", err
	}
	var head bytes.Buffer
	w := multipart.NewWriter(&head)
	if err := w.WriteField("answers", string(given)); err != nil {
		return nil, "", err
	}
	if _, err := w.CreateFormFile("file", name); err != nil {
		return nil, "", err
	}
	tail := "\r\n--" + w.Boundary() + "--\r\n"
	return io.MultiReader(&head, file, strings.NewReader(tail)), w.FormDataContentType(), nil
}

// tellQuestions says what the file leaves open and how to answer it.
func (a *App) tellQuestions(b []byte) {
	var review struct {
		Questions []struct {
			ID   string `json:"id"`
			Text struct {
				Text string `json:"text"`
			} `json:"text"`
			Choices []string `json:"choices"`
		} `json:"questions"`
	}
	if json.Unmarshal(b, &review) != nil {
		return
	}
	for _, q := range review.Questions {
		fmt.Fprintf(a.Stderr, "%s\n  answer with --answer %s=CHOICE, one of: %s\n", visible(q.Text.Text), q.ID, visible(strings.Join(q.Choices, ", ")))
	}
}
