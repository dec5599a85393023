package hooks

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/upload"
)

func (a *App) askCommand() *cobra.Command {
	t := &inquirer{App: a}
	var answers []string
	var effort string
	c := &cobra.Command{
		Use: "ask [TEXT]", Short: "Asks an assistant, and shows its answer as it comes; without a text, a conversation", Args: wants(0, 1),
		Example: "  nodkeep ask 'What do we pay for streaming?' --as ana\n  nodkeep ask 'Which of these do we have already?' --file statement.pdf --show --as ana",
		RunE: func(c *cobra.Command, args []string) error {
			given := map[string]string{}
			for _, s := range answers {
				id, choice, ok := strings.Cut(s, "=")
				if !ok {
					return fmt.Errorf("--answer %s: write ID=CHOICE", s)
				}
				given[id] = choice
			}
			text := strings.Join(args, "")
			switch {
			case text != "" && len(given) > 0:
				return errors.New("give a TEXT, or --answer for what the assistant asked: not both")
			case t.show && len(t.paths) == 0:
				return errors.New("--show is for what --file names")
			case text == "" && len(given) == 0 && !a.Terminal():
				return errors.New("give a TEXT: a conversation needs a terminal")
			}
			if err := a.needsFolder(); err != nil {
				return err
			}
			t.common.Effort, t.typed = gateway.Effort(effort), newTypist(a.Stdin)
			if text == "" && len(given) == 0 {
				return t.converse(c.Context())
			}
			return t.once(c.Context(), text, given)
		},
	}
	asFlag(c, &t.as)
	c.Flags().StringVar(&t.common.Assistant, "assistant", "", "the id of the assistant; the first that the member may ask unless given")
	c.Flags().StringVar(&t.common.Conversation, "conversation", "", "the id of a conversation to go on with")
	c.Flags().StringVar(&effort, "effort", "", "how much it thinks: low, medium, high, xhigh or max; as the assistant is set up unless given")
	c.Flags().StringArrayVar(&t.paths, "file", nil, "a file to attach; may be repeated")
	c.Flags().BoolVar(&t.show, "show", false, "gives the files to the model")
	c.Flags().BoolVar(&t.common.Scope.Private, "private", false, "what only the member sees goes to the model, too")
	c.Flags().StringArrayVar(&answers, "answer", nil, "ID=CHOICE, the answer to a question of the assistant; may be repeated")
	return c
}

// inquirer is what a command says to an assistant, and shows of what it answers.
type inquirer struct {
	*App
	as     string
	common asked // what all questions have in common
	paths  []string
	show   bool
	typed  *typist
	who    string // answers, as it was said

	apart  bool // what was written last is no part of the answer
	broken bool // what is written last on standard output ends in the middle of a line
}

// once asks one question, and whatever the assistant asks back. To a program it
// is one turn.
func (t *inquirer) once(ctx context.Context, text string, answers map[string]string) error {
	for {
		r, err := t.turn(ctx, text, answers)
		if err != nil {
			return err
		}
		if answers = r.answers; len(answers) == 0 {
			t.sayHow()
			return r.failed()
		}
		text = ""
	}
}

// sayHow says how to go on with what was said.
func (t *inquirer) sayHow() {
	if !t.json && t.Terminal() && t.common.Conversation != "" {
		fmt.Fprintf(t.Stderr, "(--conversation %s goes on with it)\n", t.common.Conversation)
	}
}

// converse asks a line at a time, until there are no more.
func (t *inquirer) converse(ctx context.Context) error {
	fmt.Fprintln(t.Stderr, "A line is a question. Ctrl-D ends.")
	defer t.sayHow()
	for {
		line, more, err := t.line(ctx, "> ")
		if err != nil {
			return err
		}
		text := strings.TrimSpace(line)
		if text == "" {
			if !more {
				fmt.Fprintln(t.Stderr)
				return nil
			}
			continue
		}
		for answers := map[string]string(nil); text != "" || len(answers) > 0; text = "" {
			r, err := t.turn(ctx, text, answers)
			if errors.Is(err, errSaid) && ctx.Err() == nil {
				break // it was refused: the next one may not be
			}
			if err != nil {
				return err
			}
			answers = r.answers
		}
	}
}

// line is a line of the person. Who stops there is not told that nothing was
// changed: in this conversation it may have been.
func (t *inquirer) line(ctx context.Context, prompt string) (line string, more bool, err error) {
	line, more, err = t.typed.line(ctx, t.Stderr, prompt)
	if err != nil && ctx.Err() != nil {
		fmt.Fprintln(t.Stderr)
		err = failure{errors.New("stopped")}
	}
	return line, more, err
}

// turn asks one question, shows what comes of it, and has the person answer what
// waits for them, where there is one.
func (t *inquirer) turn(ctx context.Context, text string, answers map[string]string) (*reply, error) {
	q := t.common
	q.Client, q.Text, q.Answers = strings.ToLower(rand.Text()), text, answers
	body, media, err := t.body(q)
	if err != nil {
		return nil, failed(err)
	}
	t.paths = nil // they belong to the first question
	if _, err := t.reach(ctx); err != nil {
		return nil, failed(err)
	}
	r := &reply{inquirer: t, begun: make(chan string, 1)}
	// The turn goes on without this command: what ends it is to say so.
	reading, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	defer context.AfterFunc(ctx, func() {
		defer time.AfterFunc(stopping, leave)
		select {
		case turn := <-r.begun:
			t.stop(reading, turn)
		case <-time.After(stopping): // it had not begun
		case <-reading.Done():
		}
	})()
	err = t.follow(reading, request{method: "POST", path: "/ask", as: t.as, media: media}, body, r.event)
	r.newline()
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, failure{errors.New("stopped")}
	case t.json:
		return r, nil
	}
	t.common.Conversation = r.ended.Conversation
	return r, r.waits(ctx)
}

// stopping is how long a turn that is stopped may take to end.
const stopping = 5 * time.Second

// stop ends a turn.
func (t *inquirer) stop(ctx context.Context, turn string) {
	ctx, cancel := context.WithTimeout(ctx, stopping)
	defer cancel()
	_, _, _ = t.send(ctx, request{method: "POST", path: "/ask/" + turn + "/stop", as: t.as}) // the stream says how it ended
}

// body is a question as it is sent: with files, a form.
func (t *inquirer) body(q asked) (body []byte, media string, err error) {
	if t.show {
		for _, path := range t.paths {
			q.Show = append(q.Show, filepath.Base(path))
		}
	}
	b, err := json.Marshal(q)
	if err != nil || len(t.paths) == 0 {
		return b, "application/json", err
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	if err := w.WriteField("question", string(b)); err != nil {
		return nil, "", err
	}
	for _, path := range t.paths {
		if err := readable(path, upload.MaxBytes, ""); err != nil {
			return nil, "", err
		}
		if err := attach(w, path); err != nil {
			return nil, "", err
		}
	}
	err = w.Close()
	return form.Bytes(), w.FormDataContentType(), err
}

func attach(w *multipart.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	part, err := w.CreateFormFile("file", filepath.Base(path))
	if err == nil {
		_, err = io.Copy(part, io.LimitReader(f, upload.MaxBytes+1))
	}
	return err
}
