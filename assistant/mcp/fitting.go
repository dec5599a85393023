package mcp

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Fitting is what the public conformance suite needs of every server beside what
// a token has: features that no tool of ours uses. Only tests give one.
type Fitting struct {
	Options func(*mcp.ServerOptions)
	Server  func(*mcp.Server)
	Tools   []string // that Server adds
}
