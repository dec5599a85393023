package client

// recipe is what is particular about a client. All that differs between them
// stands in this table; what they are told is made from it.
type recipe struct {
	id, name string
	files    []File
	key      string // under which the servers stand
	address  string // the field with the address of one
	typed    bool   // each says its transport
	toml     bool
	variable string // how a value of the environment is written in a file that others read too
	asks     bool   // for the token, and keeps it itself
	bridged  bool   // starts processes only: a bridge speaks HTTP for it
	noted    bool   // takes the name of a variable where others take the token, over HTTP
	link     string // before the entry; "" where it has no such link
	command  func(t Transport, f Facts) []string
}

// recipes are those of the clients that are known, each as its maker documents it.
func recipes() []recipe {
	const servers = "mcpServers"
	all := func(path string) []File { return []File{{Path: path}} }
	return []recipe{
		{
			id: "claude-desktop", name: "Claude Desktop", key: servers, bridged: true,
			files: []File{
				{"macOS", "~/Library/Application Support/Claude/claude_desktop_config.json"},
				{"Windows", `%APPDATA%\Claude\claude_desktop_config.json`},
				{"Linux", "~/.config/Claude/claude_desktop_config.json"},
			},
		},
		{
			id: "claude-code", name: "Claude Code", key: servers, address: "url", typed: true, files: all(".mcp.json"), variable: "${" + Variable + "}",
			command: func(t Transport, f Facts) []string {
				// An option that takes many values must not come last before the name.
				if t == HTTP {
					return []string{"claude", "mcp", "add", "--scope", "user", "--header", f.bearer(), "--transport", "http", Server, f.url()}
				}
				return append([]string{"claude", "mcp", "add", "--scope", "user", "--env", Variable + "=" + f.Token, "--transport", "stdio", Server, "--", f.Binary}, f.args()...)
			},
		},
		{
			id: "cursor", name: "Cursor", key: servers, address: "url", files: all("~/.cursor/mcp.json"),
			link: "cursor://anysphere.cursor-deeplink/mcp/install?name=" + Server + "&config=",
		},
		{
			id: "vscode", name: "VS Code", key: "servers", address: "url", typed: true, asks: true, files: all(".vscode/mcp.json"),
			link: "vscode:mcp/install?",
		},
		{
			id: "lm-studio", name: "LM Studio", key: servers, address: "url", files: all("~/.lmstudio/mcp.json"),
			link: "lmstudio://add_mcp?name=" + Server + "&config=",
		},
		{id: "windsurf", name: "Windsurf", key: servers, address: "serverUrl", files: all("~/.codeium/windsurf/mcp_config.json")},
		{id: "zed", name: "Zed", key: "context_servers", address: "url", files: all("~/.config/zed/settings.json")},
		{
			id: "codex", name: "Codex", key: "mcp_servers", address: "url", toml: true, noted: true, files: all("~/.codex/config.toml"),
			command: func(t Transport, f Facts) []string {
				if t == HTTP {
					return nil // it would sign in by another way
				}
				return append([]string{"codex", "mcp", "add", Server, "--env", Variable + "=" + f.Token, "--", f.Binary}, f.args()...)
			},
		},
		{
			id: "gemini-cli", name: "Gemini CLI", key: servers, address: "httpUrl", files: all("~/.gemini/settings.json"),
			command: func(t Transport, f Facts) []string {
				if t == Stdio {
					return nil
				}
				return []string{"gemini", "mcp", "add", "--scope", "user", "--header", f.bearer(), "--transport", "http", Server, f.url()}
			},
		},
		{id: "generic", name: "Another client", key: servers, address: "url", typed: true},
	}
}
