package tools

import "context"

// Refuse leaves a trace of a call that a door did not let through, and gives
// the reason its English sentence. It is for what only the door can know: a
// credential that may not confirm, a body of the wrong type.
func (r *Runner) Refuse(ctx context.Context, a Actor, inv Invocation, reason error) error {
	r.refused(ctx, a, "", []Invocation{inv}, reason)
	return r.told(reason)
}
