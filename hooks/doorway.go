package hooks

import (
	"context"
	"net/http"
	"time"
)

// doorway is the server of the socket. When it closes, what would never end by
// itself ends at once, and the rest when it is time.
type doorway struct {
	*http.Server
	ending, late context.Context
	end, cut     context.CancelFunc
}

// newDoorway makes one before h, to which every request is local.
func newDoorway(h http.Handler) *doorway {
	d := &doorway{}
	d.ending, d.end = context.WithCancel(context.Background())
	d.late, d.cut = context.WithCancel(context.Background())
	d.Server = &http.Server{Handler: d.leading(local(h)), ReadHeaderTimeout: time.Minute}
	return d
}

// leading lets a request live until the doorway says that it is time to end.
func (d *doorway) leading(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		over := d.late
		if lasting(r) {
			over = d.ending
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(over, cancel)()
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

// lasting says that a request only listens: its answer has no end.
func lasting(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Accept") == "text/event-stream" ||
		r.Header.Get("Mcp-Method") == "subscriptions/listen"
}

// shut lets nobody in any more. Who is inside may finish, and has notice to
// leave after that.
func (d *doorway) shut(finish, notice time.Duration) error {
	d.end()
	ctx, cancel := context.WithTimeout(context.Background(), finish)
	err := d.Shutdown(ctx)
	cancel()
	d.cut()
	if err == nil {
		return nil
	}
	ctx, cancel = context.WithTimeout(context.Background(), notice)
	defer cancel()
	if err = d.Shutdown(ctx); err != nil {
		_ = d.Close() // who does not leave is put out
	}
	return err
}
