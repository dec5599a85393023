package hooks

import (
	"fmt"

	"github.com/spf13/cobra"
)

const (
	originsFlag = "origins" // of PocketBase's serve
	// noOrigin lets no other site in: it is no origin, but PocketBase takes an
	// empty list for all.
	noOrigin = "none"
)

// allow lets those sites call the API that the flag names, or else
// NODKEEP_ORIGINS. The instance's own pages need no leave.
func (a *App) allow(serve *cobra.Command) error {
	a.origins = a.settings.Origins
	flags := serve.Flags()
	if flags.Changed(originsFlag) {
		given, err := flags.GetStringSlice(originsFlag)
		if err != nil {
			return err
		}
		a.origins = given
	}
	allowed := a.origins
	if len(allowed) == 0 {
		allowed = []string{noOrigin}
	}
	list, ok := flags.Lookup(originsFlag).Value.(interface{ Replace([]string) error })
	if !ok {
		return fmt.Errorf("the flag --%s is no list", originsFlag)
	}
	return list.Replace(allowed)
}

// otherOrigins are those sites, also where nothing serves.
func (a *App) otherOrigins() []string {
	if a.origins == nil {
		return a.settings.Origins
	}
	return a.origins
}
