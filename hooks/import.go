package hooks

import (
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

// statement is a file that a person gave us, and what they answered about it.
type statement struct {
	Name    string            `json:"name"`
	Text    string            `json:"text"`
	Answers map[string]string `json:"answers"`
	// Assistant is the one that the person shows the file; "" lets nothing leave.
	Assistant string `json:"assistant"`
	data      []byte
}

// readingTime is for a file to come, and again for it to be read.
const readingTime = 20 * time.Second

// readImport reads a statement and says what is new in it. It writes nothing, and
// without an assistant that the person names nothing leaves.
func (a *App) readImport(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	leave, err := a.desk.Take(e.Request.Context())
	if err != nil {
		return nil, err
	}
	leave = sync.OnceFunc(leave)
	defer leave()
	st, err := a.readStatement(e)
	if err != nil {
		return nil, err
	}
	if st.Assistant != "" {
		leave() // a model may take long, and the file is small
		return a.showDocument(e, actor, st)
	}
	return a.desk.Read(e.Request.Context(), actor, st.Name, st.data, st.Answers)
}
