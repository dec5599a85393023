package tools

import (
	"context"
	"reflect"
	"slices"
)

// maxForeign is how many sources of one run are told apart.
const maxForeign = 20

// Foreign says that what this run hands out holds text that the person did not
// write: a file's, a page's, a note of another member. Source names it on the
// cards of an agent that has read it: such text may try to tell a model what
// to do.
func (r *Reader) Foreign(source Text) {
	same := func(t Text) bool { return reflect.DeepEqual(t, source) }
	if len(r.run.foreign) < maxForeign && !slices.ContainsFunc(r.run.foreign, same) {
		r.run.foreign = append(r.run.foreign, source)
	}
}

// foreign tells of the text that an agent was handed in a run.
func (r *Runner) foreign(ctx context.Context, a Actor, from []Text) error {
	if a.Agent == "" || len(from) == 0 || r.c.Foreign == nil {
		return nil
	}
	return r.c.Foreign(ctx, a, from)
}
