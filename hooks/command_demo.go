package hooks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/tools/i18n"
)

// demoPassword is printed beside the logins: the folder is thrown away.
const demoPassword = "try-nodkeep"

func (a *App) demoCommand() *cobra.Command {
	var address string
	var script bool
	var lang string
	c := &cobra.Command{
		Use: "demo", Short: "Serves sample data and an assistant to try, in a folder that is thrown away at the end", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if a.root().PersistentFlags().Changed("dir") {
				return errors.New("demo makes a folder of its own and throws it away: leave out --dir")
			}
			if !slices.Contains(i18n.Languages(), lang) {
				return fmt.Errorf("--language %s: it is one of %s", lang, strings.Join(i18n.Languages(), ", "))
			}
			return failed(a.demo(c.Context(), address, lang, script))
		},
	}
	c.Flags().StringVar(&address, "http", "127.0.0.1:8090", "the address to serve at")
	c.Flags().BoolVar(&script, "script", false, "has the scripted assistant also where a model answers on this machine")
	c.Flags().StringVar(&lang, "language", i18n.Languages()[0], "en, de or es: what the members read")
	return c
}

// demo is an instance of its own, filled through tools.
func (a *App) demo(ctx context.Context, address, lang string, script bool) error {
	who, err := findDemoAssistant(ctx, script)
	if err != nil {
		return err
	}
	top, err := os.MkdirTemp("", "nodkeep-demo-*")
	if err != nil {
		return err
	}
	defer func() {
		if err := os.RemoveAll(top); err != nil {
			fmt.Fprintln(a.Stderr, "the folder stays:", err)
		}
	}()
	who.lang = lang
	config := a.Config
	config.DataDir = filepath.Join(top, "pb_data")
	// Its settings are the defaults: a key of the real instance stays out.
	config.Env, config.Names = who.env, nil
	d := New(config)
	who.script(d)
	if err := d.listen(address); err != nil {
		return err
	}
	var filled error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d.live = func(base string) {
		if filled = d.fill(ctx, base, who); filled != nil {
			stop()
		}
	}
	err = d.serve(ctx, func() error {
		err := apis.Serve(d.pb, apis.ServeConfig{HttpAddr: address, AllowedOrigins: []string{noOrigin}})
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	})
	return errors.Join(filled, err)
}

// fill makes the members and calls of the plugins' samples, and says how to
// look at them.
func (a *App) fill(ctx context.Context, base string, who demoAssistant) error {
	handles, err := a.makeSamples(ctx, who.lang)
	if err != nil {
		return err
	}
	if err := who.granted(ctx, a, handles); err != nil {
		return fmt.Errorf("let everybody ask the assistant: %w", err)
	}
	fmt.Fprintf(a.Stdout, "A demonstration of Nodkeep at %s/\n", base)
	for _, h := range handles {
		fmt.Fprintf(a.Stdout, "  sign in as %-8s password %s\n", h, demoPassword)
	}
	a.sayAsk(who)
	fmt.Fprintf(a.Stdout, "The same without an assistant:\n  %s call household_overview --as ana --dir %s\nEverything is thrown away when you stop it (Ctrl-C).\n", quoted(os.Args[0]), quoted(a.dir))
	return nil
}

func (a *App) demoMember(ctx context.Context, handle, lang string, operator bool) error {
	return a.post(ctx, "/operator/accounts", "", map[string]any{"handle": handle, "password": demoPassword, "language": lang, "operator": operator})
}

func (a *App) must(ctx context.Context, r request) error {
	status, b, err := a.send(ctx, r)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s", b)
	}
	return err
}
