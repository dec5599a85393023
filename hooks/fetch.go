package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// What fetching a source may take: of the network it is the only thing that
// this program asks for by itself.
const (
	fetchTime = 30 * time.Second
	maxFetch  = 4 << 20
	maxHops   = 3
)

// Why a source is not fetched. None repeats what somebody else has written.
var (
	errElsewhere = errors.New("it is redirected to another host, or too often")
	errTooLarge  = fmt.Errorf("it has more than %d bytes", maxFetch)
	errNoText    = errors.New("it is no text in UTF-8")
)

// fetch reads a text from an https address. It keeps no cookies, sends nothing
// of the instance but the program's name, and follows redirects only within
// the host.
func (a *App) fetch(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	if req.URL.Scheme != "https" {
		return "", errElsewhere
	}
	req.Header.Set("User-Agent", userAgent())
	client := http.Client{Transport: a.transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if next.URL.Scheme != "https" || next.URL.Host != req.URL.Host || next.URL.User != nil || len(via) > maxHops {
			return errElsewhere
		}
		return nil
	}}
	resp, err := client.Do(req)
	if err != nil {
		return "", withoutAddress(err)
	}
	defer func() { _ = resp.Body.Close() }() // what counts was read
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("it answers with status %d", resp.StatusCode)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxFetch+1))
	switch {
	case err != nil:
		return "", withoutAddress(err)
	case len(b) > maxFetch:
		return "", errTooLarge
	case !utf8.Valid(b):
		return "", errNoText
	}
	return string(b), nil
}

// withoutAddress takes from an error where a redirect has led.
func withoutAddress(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// userAgent names the program to whom it asks.
func userAgent() string {
	own, _, _ := strings.Cut(version(), ",")
	if own == "" {
		own = "unknown"
	}
	return "nodkeep/" + own
}
