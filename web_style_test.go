package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWebStyles holds that a class belongs to one style: they are loaded one by one as pages are gone
// to, and what two mean by the same name would look otherwise after the other page than before it.
func TestWebStyles(t *testing.T) {
	for _, b := range styleBreaches(repository(t)) {
		t.Error(b)
	}
}

func TestWebStylesCanFail(t *testing.T) {
	rows := []struct{ name, src, want string }{
		{"its own", ".mine { color: red }\n", ""},
		{"within its own", ".mine .amount { color: red }\n", ""},
		{"what all have, in a case of its own", ".panel.mine, .panel > .mine { color: red }\n", ""},
		{"of another", "h1, .amount { color: red }\n", ".amount"},
		{"of another, in a query", "@media (min-width: 1rem) { .amount { color: red } }\n", ".amount"},
		{"what all have", ".panel { color: red }\n", ".panel"},
		{"in a comment", "/* .amount { */\n", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := strings.Join(styleBreaches(map[string][]byte{
				"pb_public/css/base.css":      []byte(".panel { color: blue }\n"),
				"pb_public/css/parts.css":     []byte(".panel { color: blue }\n"), // these are one: all pages have them
				"pb_public/css/card.css":      []byte(".amount { color: blue }\n"),
				"tools/household/web/mon.css": []byte(row.src),
			}), "; ")
			if row.want == "" && got != "" || !strings.Contains(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

var (
	styleComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	selectors    = regexp.MustCompile(`([^{};]+)\{`)
	bareClass    = regexp.MustCompile(`^\.[\w-]+$`)
	everywhere   = []string{"theme.css", "base.css", "layout.css", "parts.css"}
)

// styleBreaches says which classes two styles have.
func styleBreaches(files map[string][]byte) (found []string) {
	owner := map[string]string{}
	names := make([]string, 0, len(files))
	for name := range files {
		if path.Ext(name) == ".css" && (strings.HasPrefix(name, "pb_public/css/") || strings.Contains(name, "/web/")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		of := name
		if slices.Contains(everywhere, path.Base(name)) {
			of = "all pages"
		}
		for _, m := range selectors.FindAllStringSubmatch(styleComment.ReplaceAllString(string(files[name]), ""), -1) {
			for _, s := range strings.Split(m[1], ",") {
				s = strings.TrimSpace(s)
				if !bareClass.MatchString(s) {
					continue
				}
				if was, ok := owner[s]; ok && was != of {
					found = append(found, name+": "+s+" belongs to "+was)
				} else {
					owner[s] = of
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
