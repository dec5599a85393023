package hooks

import (
	"io"
	"net/url"

	"github.com/spf13/cobra"
)

// nod is how a command that changes something is told to look or to go on.
type nod struct {
	as, yes string
	preview bool
}

func (n *nod) flags(c *cobra.Command) {
	asFlag(c, &n.as)
	n.yesFlags(c)
}

func (n *nod) yesFlags(c *cobra.Command) {
	c.Flags().StringVar(&n.yes, "yes", "", "the digest of a preview: applies just what it showed, without asking")
	c.Flags().BoolVar(&n.preview, "preview", false, "only shows what would change, and its digest")
	c.MarkFlagsMutuallyExclusive("yes", "preview")
}

func (a *App) callCommand() *cobra.Command {
	n, files := &nod{}, []string{}
	c := &cobra.Command{
		Use: "call TOOL [JSON|-]", Short: "Calls a tool, with arguments from the command line or (-) standard input", Args: wants(1, 2),
		Example: "  nodkeep call household_overview --as ana\n  nodkeep call household_subscription_add '{\"name\":\"Netflix\",\"amount\":\"15.99\",\"cycle\":\"P1M\",\"first_date\":\"2027-01-14\"}' --as ana\n  nodkeep call household_rate_import --file file=eurofxref-hist.csv --as ana",
		RunE: func(c *cobra.Command, args []string) error {
			body := []byte("{}")
			if len(args) == 2 {
				body = []byte(args[1])
			}
			var err error
			if len(args) == 2 && args[1] == "-" {
				in := io.LimitReader(a.Stdin, maxCall+1)
				body, err = untilStopped(c.Context(), func() ([]byte, error) { return io.ReadAll(in) })
				if err != nil {
					return failed(err)
				}
			}
			if body, err = a.withFiles(c.Context(), n.as, args[0], body, files); err != nil {
				return err
			}
			return a.change(c.Context(), n, "/tools/"+url.PathEscape(args[0]), body)
		},
	}
	n.flags(c)
	c.Flags().StringArrayVar(&files, "file", nil, "ARG=PATH: gives the argument ARG a file, its text where the tool takes one; may be repeated")
	return c
}
