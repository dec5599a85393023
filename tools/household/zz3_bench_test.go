package household
import ("testing";"github.com/nodkeep/nodkeep/tools";"github.com/nodkeep/nodkeep/tools/toolstest")
func runProbe(b *testing.B, a *toolstest.App, p plug) {
	reg, err := tools.NewRegistry(p); ok(b, err)
	cfg := a.Runner.Config
	cfg.Registry = reg
	cfg.HeadPath = b.TempDir()+"/head"
	r, err := tools.NewRunner(cfg); ok(b, err)
	_, err = r.Read(b.Context(), a.As("ann"), tools.Invocation{Tool: "household_probe_x"}); ok(b, err)
}
