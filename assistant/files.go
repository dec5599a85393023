package assistant

import (
	"context"
	"fmt"

	"github.com/nodkeep/nodkeep/assistant/document"
	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
)

// gather takes in the files of the question. A model is given those that the
// person shows, if it can read them; the others are read here, by a tool that
// knows statements.
func (w *turn) gather(ctx context.Context) error {
	if len(w.q.Files) == 0 {
		return nil
	}
	all := make([]document.File, len(w.q.Files))
	for i, f := range w.q.Files {
		all[i] = document.File(f)
	}
	var err error
	if w.parts, err = document.Parts(ctx, w.is, all...); err != nil {
		return err
	}
	for _, f := range w.q.Files {
		up, err := w.l.c.Uploads.Put(ctx, w.agent.Person, int64(len(f.Data)), func() (tools.Upload, error) { return f.Upload, nil })
		if err != nil {
			return err
		}
		says := fmt.Sprintf("%s, %s, %d bytes, upload %s", line(up.Name, 120), up.Type, up.Size, up.ID)
		if f.Show {
			says += ", shown to you"
		}
		// Its name alone may tell a model what to do.
		if err := w.l.c.Gate.Foreign(w.l.c.Gate.Within(ctx, w.agent), w.agent.Actor, []tools.Text{upload.Source(up.Name)}); err != nil {
			return err
		}
		w.attached = append(w.attached, says)
	}
	w.q.Files = nil // what no model is given is not held until the answer ends
	return nil
}
