package hooks

import (
	"errors"
	"net"
	"os"

	"golang.org/x/sys/windows"
)

func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}

// listenPrivate relies on the rights of the data folder.
func listenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }

// keepPipes has nothing to do: here a write fails.
func keepPipes() {}
