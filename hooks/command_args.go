package hooks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// wants counts arguments and names the one that is missing, as the command's
// Use has them.
func wants(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		usage := c.Parent().CommandPath() + " " + c.Use
		switch {
		case len(args) < least:
			missing := strings.TrimRight(strings.Fields(c.Use)[1+len(args)], ".")
			article := "a"
			if strings.ContainsRune("AEIO", rune(missing[0])) {
				article = "an"
			}
			return fmt.Errorf("give %s %s: %s", article, missing, usage)
		case len(args) > most:
			return fmt.Errorf("%q is one argument too many: %s", args[most], usage)
		}
		return nil
	}
}

// group makes a command that only holds others refuse what is none of them.
func group(c *cobra.Command) {
	c.RunE = func(c *cobra.Command, args []string) error {
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		if len(args) == 0 {
			return fmt.Errorf("say which: %s %s", c.CommandPath(), strings.Join(names, "|"))
		}
		c.SuggestionsMinimumDistance = 2
		if like := c.SuggestionsFor(args[0]); len(like) > 0 {
			return fmt.Errorf("unknown command %q for %q; did you mean %s?", args[0], c.CommandPath(), like[0])
		}
		return fmt.Errorf("unknown command %q for %q; it has %s", args[0], c.CommandPath(), strings.Join(names, ", "))
	}
}

// untilStopped gives what f gives, unless the person stops it first: f waits
// for a person or a pipe, which no context ends.
func untilStopped[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		var none T
		return none, failure{errors.New("stopped: nothing was changed")}
	}
}
