// Package tools is the engine: it says what can be done (Tool), by whom
// (Actor), and runs it (Runner) so that it can be previewed before it happens,
// is audited when it does and can be undone afterwards. It knows no HTTP, no
// model and no MCP; those are doors that call it.
package tools
