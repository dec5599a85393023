package hooks

import (
	"time"

	"github.com/pocketbase/pocketbase/core"
)

// statement is a file that a person gave us, and what they answered about it.
type statement struct {
	Name    string            `json:"name"`
	Text    string            `json:"text"`
	Answers map[string]string `json:"answers"`
	data    []byte
}

// readingTime is for a file to come, and again for it to be read.
const readingTime = 20 * time.Second

// readImport reads a statement and says what is new in it. It writes nothing.
func (a *App) readImport(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	leave, err := a.desk.Take(e.Request.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	st, err := a.readStatement(e)
	if err != nil {
		return nil, err
	}
	return a.desk.Read(e.Request.Context(), actor, st.Name, st.data, st.Answers)
}
