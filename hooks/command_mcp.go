package hooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant/client"
	"github.com/nodkeep/nodkeep/assistant/mcp/bridge"
)

func (a *App) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Speaks MCP on standard input and output, for the token in " + client.Variable, Args: cobra.NoArgs,
		Example: "  " + client.Variable + "=nk_… nodkeep mcp",
		RunE:    func(c *cobra.Command, _ []string) error { return failed(a.mcpStdio(c.Context())) },
	}
}

// mcpStdio leads a client's messages to the handler that a server has at mcpPath,
// whoever holds the folder. Who acts is said by the token alone, so there is
// nothing here that a superuser or the owner of the machine could do without one.
func (a *App) mcpStdio(ctx context.Context) error {
	token, _ := a.Env(client.Variable)
	if token = strings.TrimSpace(token); token == "" {
		return fmt.Errorf("%s is not set: an agent speaks for one member, by a token. Make one, and put it there:\n  %s", client.Variable, a.makeToken())
	}
	if err := a.needsFolder(); err != nil {
		return err
	}
	if len(a.problems) > 0 {
		return settingsError(a.problems)
	}
	keepPipes()
	p := a.newPassage()
	defer p.close()
	b := bridge.New(bridge.Config{
		Do: p.do, URL: "http://localhost" + mcpPath, Token: token, In: a.Stdin, Out: a.Stdout,
		Refused: a.refusedToken(), Log: slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err := b.Check(ctx); err != nil {
		if errors.Is(err, bridge.ErrRefused) {
			return errors.New(a.refusedToken())
		}
		return fmt.Errorf("no MCP on %s: %w", a.dir, err)
	}
	return b.Run(ctx)
}

func (a *App) refusedToken() string {
	return fmt.Sprintf("%s is no token of this instance, or was revoked or has expired, or its member may not act. Make another, and put it there:\n  %s", client.Variable, a.makeToken())
}

func (a *App) makeToken() string { return a.command("token create --as NAME --mode ask") }
