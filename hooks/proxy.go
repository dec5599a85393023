package hooks

import (
	"slices"
	"sync/atomic"

	"github.com/pocketbase/pocketbase/core"
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
