package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lockName is the file in the data folder that its one process holds.
const lockName = "nodkeep.lock"

// patience is how long a process waits for another's command to end.
const patience = 10 * time.Second

// errLocked says that another process has the folder.
var errLocked = errors.New("the data folder is in use")

// lock is the hold of one process on a data folder. The system lets go of it
// when the process ends, however it ends.
type lock struct{ file *os.File }

// takeLock takes the folder, or fails with errLocked at once.
func takeLock(dir string) (*lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// For people who look: nothing reads it but the message of the next one.
	if err := f.Truncate(0); err == nil {
		_, _ = fmt.Fprintf(f, "%d\n", os.Getpid())
	}
	return &lock{f}, nil
}

func (l *lock) release() error { return l.file.Close() }

// holder is the process that has the folder, as it wrote there.
func holder(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, lockName))
	if pid := strings.TrimSpace(string(b)); err == nil && pid != "" {
		return "process " + pid
	}
	return "another process"
}

func (a *App) tryLock() (bool, error) {
	l, err := takeLock(a.dir)
	if errors.Is(err, errLocked) {
		return false, nil
	}
	a.lock = l
	return err == nil, err
}

// wait tries until it is done, an error ends it, or patience does.
func (a *App) wait(ctx context.Context, try func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if done, err := try(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %s has %s for longer than %s", errLocked, holder(a.dir), a.dir, patience)
		case <-time.After(30 * time.Millisecond):
		}
	}
}
