package gateway

import (
	"net/http"
	"testing"
)

// TestTransportIsItsOwn: connections are kept for many answers from one host,
// and what others of the process use stays as it is.
func TestTransportIsItsOwn(t *testing.T) {
	made, ok := NewTransport().(*http.Transport)
	if !ok || made.MaxIdleConnsPerHost < 50 || made.Proxy == nil || made == http.DefaultTransport {
		t.Errorf("%+v", made)
	}
	if usual, ok := http.DefaultTransport.(*http.Transport); !ok || usual.MaxIdleConnsPerHost != 0 {
		t.Error("the process's transport was changed")
	}
}
