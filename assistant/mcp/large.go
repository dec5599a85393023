package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	// maxResult is the largest answer that is given whole, in bytes of JSON.
	maxResult = 100_000
	// partSize is that of a part of one that is larger.
	partSize = 60_000
	// maxPartArgs bounds the arguments that an address of a part can hold.
	maxPartArgs = 1200
	// maxLinks is how many parts are listed one by one.
	maxLinks = 10
)

// A part of a large answer has an address that says all there is to know of it:
// the tool, its arguments, what the whole was, and which part. Nothing is kept.
const (
	partPrefix   = tools.Scheme + "answer/"
	partTemplate = partPrefix + "{tool}/{sum}/{args}/{part}"
)

// large answers what is too large for one message: it is not cut, but says how
// to get it. It is no answer of the tool, which its schema would hold it to.
func (d *Door) large(t offered, args jsontext.Value, raw []byte) *mcp.CallToolResult {
	n := (len(raw) + partSize - 1) / partSize
	says := fmt.Sprintf("Nothing is left out, but the answer has %d kB of JSON, too much for one message.", len(raw)/1000)
	if t.input.Properties["limit"] != nil && t.input.Properties["cursor"] != nil {
		says += " Ask for pages instead: give a smaller limit, then the next of each answer as cursor of the next call."
	} else {
		says += " Ask for less, if the arguments allow."
	}
	res := &mcp.CallToolResult{}
	if links := partLinks(t, args, raw, n); links != nil {
		says += fmt.Sprintf(" Or read it in %d parts with resources/read, and put them together: %s, where the last number is that of the part, 1 to %d.", n, links[0].URI, n)
		res.Content = append(res.Content, &mcp.TextContent{Text: says})
		for _, l := range links[:min(n, maxLinks)] {
			res.Content = append(res.Content, l)
		}
	}
	res.SetError(errors.New(says))
	return res
}

// partLinks are the parts of an answer; none where the address would be too long.
func partLinks(t offered, args jsontext.Value, raw []byte, n int) (links []*mcp.ResourceLink) {
	if t.call == "" || len(args) > maxPartArgs {
		return nil
	}
	base := partPrefix + t.call + "/" + sumOf(raw) + "/" + base64.RawURLEncoding.EncodeToString(args) + "/"
	for i := 1; i <= n; i++ {
		links = append(links, &mcp.ResourceLink{URI: base + strconv.Itoa(i), Name: fmt.Sprintf("part %d of %d", i, n), MIMEType: textType})
	}
	return links
}

func sumOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// readPart calls the tool again, under the rights of this request's token, and
// gives a part of its answer if that is still the same.
func (s *seat) readPart(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	ctx, a, err := s.who(ctx, req.Extra)
	if err != nil {
		return nil, s.door.protocol(err)
	}
	uri := req.Params.URI
	text, err := s.part(ctx, a, uri)
	if err != nil {
		return nil, s.door.missing(uri, err)
	}
	return contents(uri, textType, text), nil
}

func (s *seat) part(ctx context.Context, a gate.Agent, uri string) (string, error) {
	missing := tools.Fail(tools.NotFound, "error.no_resource", tools.Quoted(uri, 200))
	segments := strings.Split(strings.TrimPrefix(uri, partPrefix), "/")
	if len(segments) != 4 {
		return "", missing
	}
	args, err := base64.RawURLEncoding.DecodeString(segments[2])
	n, failed := strconv.Atoi(segments[3])
	t, known := s.door.c.Registry.Tool(segments[0])
	if err != nil || failed != nil || !known || t.Effect != tools.EffectRead || len(args) > maxPartArgs {
		return "", missing
	}
	leave, err := s.work(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	got, err := s.door.c.Gate.Call(ctx, a, tools.Invocation{Tool: t.Name, Args: args})
	if err != nil {
		return "", err
	}
	raw, err := s.door.write(a, got.Output)
	if err != nil {
		return "", err
	}
	if sumOf(raw) != segments[1] {
		return "", tools.Fail(tools.Stale, "mcp.changed", t.Name)
	}
	parts := (len(raw) + partSize - 1) / partSize
	if n < 1 || n > parts {
		return "", missing
	}
	return string(raw[cut(raw, (n-1)*partSize):cut(raw, n*partSize)]), nil
}

// cut is a place at or before one where no letter is torn apart.
func cut(raw []byte, at int) int {
	if at >= len(raw) {
		return len(raw)
	}
	for at > 0 && !utf8.RuneStart(raw[at]) {
		at--
	}
	return at
}

// slim leaves out of what became of a change what would not fit into one
// message, and says so: that it was done must be told.
func (d *Door) slim(a gate.Agent, o outcome) ([]byte, error) {
	what := "The output"
	o.Output = nil
	raw, err := d.write(a, o)
	if err == nil && len(raw) > maxResult && o.Receipt != nil {
		short := *o.Receipt
		what = fmt.Sprintf("The output and the list of %d changes", len(short.Changes))
		short.Changes = nil
		o.Receipt = &short
	}
	if err != nil {
		return nil, err
	}
	o.Next = strings.TrimSpace(o.Next + " " + what + " would be too large for one message and is left out: read the records, or activity_list, for more.")
	return d.write(a, o)
}
