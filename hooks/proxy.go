package hooks

import (
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// bindProxy makes the headers that NODKEEP_TRUSTED_PROXY names the trusted
// ones, whatever the dashboard says. They are kept in memory only: taken out of
// the environment, what the dashboard says holds again. A header that is
// trusted without a proxy lets anybody say who they are.
func (a *App) bindProxy() {
	ours := a.settings.Proxy
	if len(ours) == 0 {
		return
	}
	var stored atomic.Pointer[[]string] // what the dashboard says
	a.pb.OnSettingsReload().BindFunc(func(e *core.SettingsReloadEvent) error {
		if err := e.Next(); err != nil {
			return err
		}
		s := e.App.Settings()
		was := s.TrustedProxy.Headers
		stored.Store(&was)
		s.TrustedProxy.Headers = slices.Clone(ours) // PocketBase decodes into the slice that is there
		return nil
	})
	// Whoever saves the settings read ours with them, and sends them along.
	a.pb.OnModelUpdate((&core.Settings{}).TableName()).BindFunc(func(e *core.ModelEvent) error {
		s, ok := e.Model.(*core.Settings)
		if was := stored.Load(); ok && was != nil && slices.Equal(s.TrustedProxy.Headers, ours) {
			s.TrustedProxy.Headers = slices.Clone(*was)
			if err := e.Next(); err != nil {
				s.TrustedProxy.Headers = slices.Clone(ours)
				return err
			}
			return nil
		}
		return e.Next()
	})
}

// notice is the name of a header that was seen.
type notice struct{ atomic.Pointer[string] }

// noticeProxy remembers that something near sends requests on for others. It
// is asked until it has seen one. A stranger who sends such a header shows no
// proxy.
func (a *App) noticeProxy() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepNoticeProxy", Priority: apis.DefaultSecurityHeadersMiddlewarePriority + 1,
		Func: func(e *core.RequestEvent) error {
			if a.forwarded.Load() != nil {
				return e.Next()
			}
			for _, name := range [...]string{"X-Forwarded-For", "X-Real-Ip"} {
				if e.Request.Header.Get(name) == "" {
					continue
				}
				if from, err := netip.ParseAddrPort(e.Request.RemoteAddr); err == nil && isNear(from.Addr()) {
					a.forwarded.Store(&name)
				}
			}
			return e.Next()
		},
	}
}

// weakProxy is a proxy that nobody told us of: all who come through it are one
// address.
func (a *App) weakProxy() ([]check, error) {
	if len(a.pb.Settings().TrustedProxy.Headers) > 0 {
		return nil, nil
	}
	const oneAddress = ", so that all people are one address to limits and logs"
	if seen := a.forwarded.Load(); seen != nil {
		return []check{weak("proxy", "requests come with "+*seen+", but no header of a proxy is trusted"+oneAddress, "If your proxy sets it, and nobody gets past the proxy: set NODKEEP_TRUSTED_PROXY="+*seen+".")}, nil
	}
	if strings.HasPrefix(a.settings.URL, "https://") && !a.hasCertificates() {
		return []check{weak("proxy", "something else serves "+a.settings.URL+" by https, but no header of a proxy is trusted"+oneAddress, "Set NODKEEP_TRUSTED_PROXY to the header in which your proxy says who asks, such as X-Forwarded-For, if nobody gets past the proxy.")}, nil
	}
	return nil, nil
}
