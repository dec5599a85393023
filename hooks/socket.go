package hooks

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
)

// socketName is the socket in the data folder by which commands reach the
// living server.
const socketName = "nodkeep.sock"

// maxSocketPath is what every system takes as the path of a socket, in bytes.
const maxSocketPath = 103

// localKey marks a request that came by the socket or from a command in
// process. Being a private type, no request from the network can carry it.
type localKey struct{}

// local marks every request: who reaches this handler may read the data folder.
func local(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), localKey{}, true))
		r.RemoteAddr = "127.0.0.1:0"
		h.ServeHTTP(w, r)
	})
}

func isLocal(r *http.Request) bool { return r.Context().Value(localKey{}) != nil }

// withSocket calls f with a path of the socket that is short enough: where the
// folder's own is not, one by way of an open handle on the folder.
func (a *App) withSocket(f func(path string) error) error {
	path := filepath.Join(a.dir, socketName)
	if len(path) <= maxSocketPath {
		return f(path)
	}
	dir, err := os.Open(a.dir)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // it was only held
	short := fmt.Sprintf("/proc/self/fd/%d", dir.Fd())
	if _, err := os.Stat(short); err != nil {
		return fmt.Errorf("the path of the data folder %s is too long for a socket here: %d bytes, %d at most; use a shorter one", a.dir, len(path), maxSocketPath)
	}
	return f(filepath.Join(short, socketName))
}

// listenLocal serves the socket. The lock is held, so a socket that is there
// was left by a server that died.
func (a *App) listenLocal(h http.Handler) (*doorway, error) {
	var l net.Listener
	err := a.withSocket(func(path string) (err error) {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		l, err = listenPrivate(path)
		if u, ok := l.(*net.UnixListener); ok {
			u.SetUnlinkOnClose(false) // the short path is gone by then
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listen for commands: %w", err)
	}
	d := newDoorway(h)
	go func() { _ = d.Serve(l) }()
	return d, nil
}

// dial connects to the server of the folder.
func (a *App) dial(ctx context.Context) (c net.Conn, err error) {
	err = a.withSocket(func(path string) error {
		c, err = (&net.Dialer{Timeout: patience}).DialContext(ctx, "unix", path)
		return err
	})
	return c, err
}

// answers says whether a server lives on the folder.
func (a *App) answers() bool {
	c, err := a.dial(context.Background())
	if err != nil {
		return false
	}
	return c.Close() == nil
}
