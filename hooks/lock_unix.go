//go:build unix

package hooks

import (
	"errors"
	"net"
	"os"
	"os/signal"
	"syscall"
)

func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// listenPrivate makes a socket that only this user can reach from its first
// moment on: a mode set afterwards would leave a gap.
func listenPrivate(path string) (net.Listener, error) {
	// The mask is the whole process's for that moment: it leaves the owner all
	// that a folder made meanwhile needs.
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	return l, os.Chmod(path, 0o600)
}

// keepPipes lets a write to a pipe that nobody reads fail, instead of ending the
// process before it has put everything in order.
func keepPipes() { signal.Ignore(syscall.SIGPIPE) }
