package client

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// tomlTable writes an entry as TOML has it: the table, and one below it for the
// environment. What a library writes begins with the table above, which a file
// that has other servers in it holds already, and must not twice.
func tomlTable(path []string, e entry) string {
	var b strings.Builder
	names := make([]string, len(path))
	for i, name := range path {
		names[i] = tomlKey(name)
	}
	at := strings.Join(names, ".")
	b.WriteString("[" + at + "]\n")
	for _, f := range []struct{ name, value string }{{"url", e.URL}, {"bearer_token_env_var", e.Noted}, {"command", e.Command}} {
		if f.value != "" {
			b.WriteString(f.name + " = " + tomlString(f.value) + "\n")
		}
	}
	if len(e.Args) > 0 {
		args := make([]string, len(e.Args))
		for i, a := range e.Args {
			args[i] = tomlString(a)
		}
		b.WriteString("args = [" + strings.Join(args, ", ") + "]\n")
	}
	if len(e.Env) > 0 {
		b.WriteString("\n[" + at + ".env]\n")
		for _, name := range slices.Sorted(maps.Keys(e.Env)) {
			b.WriteString(tomlKey(name) + " = " + tomlString(e.Env[name]) + "\n")
		}
	}
	return b.String()
}

// tomlKey is a name, in quotes where it needs them.
func tomlKey(s string) string {
	odd := strings.IndexFunc(s, func(c rune) bool {
		return c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
	if s != "" && odd < 0 {
		return s
	}
	return tomlString(s)
}

// tomlString is a basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c < 0x20 || c == 0x7f:
			b.WriteString(`\u` + strings.Repeat("0", 4-len(strconv.FormatInt(int64(c), 16))) + strconv.FormatInt(int64(c), 16))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
