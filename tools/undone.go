package tools

import "context"

// Undone says whether all of these entries were taken back. Whoever asks knows
// of them: it tells nothing of what they are.
func (r *Runner) Undone(ctx context.Context, audit []string) (bool, error) {
	undone, err := r.undone(ctx)
	if err != nil {
		return false, r.told(err)
	}
	for _, id := range audit {
		if undone[id] == "" {
			return false, nil
		}
	}
	return len(audit) > 0, nil
}
