package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// TestWeb holds the scripts of the web front end, and of plugins' pages, against
// the rules of docs/explain/web.md: they run under a strict policy, say nothing
// that the catalogue does not, and import one way.
func TestWeb(t *testing.T) {
	for _, b := range webBreaches(repository(t)) {
		t.Error(b)
	}
}

// TestWebCanFail breaks each rule once.
func TestWebCanFail(t *testing.T) {
	const card = "pb_public/parts/card.js"
	const plugin = "tools/household/web/home.js"
	rows := []struct{ name, path, src, want string }{
		{"fine", card, "import { html } from \"../lib/html.js\"\nexport const A = () => html`<p class=\"a\">${x} – 3</p><br />`\n", ""},
		{"text", card, "const a = html`<p>Hello ${x}</p>`\n", `says "Hello" itself`},
		{"text after a part", card, "const a = html`<p>${x} days</p>`\n", `says "days" itself`},
		{"text in a template within", card, "const a = html`<p>${x ? html`<b>yes</b>` : \"\"}</p>`\n", `says "yes" itself`},
		{"a comparison is no tag", card, "const a = html`<p onClick=${() => 1 < 2 && 3 > 2}>${x.map((y) => html`<i>${y}</i>`)}</p>`\n", ""},
		{"an attribute people read", card, "const a = html`<input placeholder=\"Name\" />`\n", `says "Name" itself`},
		{"a label", card, "const a = html`<nav aria-label=\"Pages\"></nav>`\n", `says "Pages" itself`},
		{"a sentence in a string", card, "say(\"Nothing was done\", { bad: true })\n", `says "Nothing was done" itself`},
		{"a word that is chosen", card, "const a = html`<p>${x ? \"Yes\" : t(\"web.no\")}</p>`\n", `says "Yes" itself`},
		{"an example in a comment", card, "f() // gives \"Ana and Ben\"\n", ""},
		{"names of keys and headers", card, "if (e.key === \"Enter\") headers[\"Content-Type\"] = x\n", ""},
		{"the product's name", card, "const a = html`<b>Nodkeep</b>`\n", ""},
		{"a command is code", card, "const a = html`<pre>nodkeep account add</pre><code>x</code>`\n", ""},
		{"a package of elsewhere", card, "import x from \"preact\"\n", `imports "preact"`},
		{"an address", card, "import x from \"https://cdn.example/x.js\"\n", `imports "https://cdn.example/x.js"`},
		{"what is not there", card, "import x from \"./nothing.js\"\n", `imports "./nothing.js"`},
		{"parts import pages", card, "import x from \"../pages/home.js\"\n", "may not import pages"},
		{"parts import a page when it is wanted", card, "const x = () => import(\"../pages/home.js\")\n", "may not import pages"},
		{"two import each other", card, "import x from \"./diff.js\"\n", "pb_public/parts/card.js and pb_public/parts/diff.js import each other"},
		{"two import each other, one when it is wanted", card, "const x = () => import(\"./diff.js\")\n", "pb_public/parts/card.js and pb_public/parts/diff.js import each other"},
		{"three import each other", card, "import x from \"./items.js\"\n", "pb_public/parts/card.js, pb_public/parts/diff.js and pb_public/parts/items.js import each other"},
		{"lib imports parts", "pb_public/lib/html.js", "import x from \"../parts/card.js\"\n", "may not import parts"},
		{"a plugin imports the kit", plugin, "import { html } from \"../../kit.js\"\nimport x from \"./main.js\"\n", ""},
		{"a plugin imports more", plugin, "import { html } from \"../../lib/html.js\"\n", "may not import lib"},
		{"markup from a string", card, "e.innerHTML = x\n", "innerHTML"},
		{"markup from a string in Preact", card, "html`<p dangerouslySetInnerHTML=${x} />`\n", "dangerouslySetInnerHTML"},
		{"code from a string", card, "new Function(x)\n", "new Function"},
		{"an inline style", card, "html`<p style=\"color: red\"></p>`\n", "style="},
		{"a message in the console", card, "console.log(1)\n", "console."},
		{"a float from an amount", card, "parseFloat(amount)\n", "parseFloat"},
		{"a line like a comment in a template", card, "const a = html`<p>${x}</p>\n\t// ${y}`\n", "begins like a comment"},
		{"too long", card, strings.Repeat("a()\n", 351), "351 lines"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			files := map[string][]byte{}
			for _, name := range []string{"pb_public/lib/html.js", "pb_public/kit.js", "pb_public/pages/home.js", card, "tools/household/web/main.js", plugin} {
				files[name] = nil
			}
			files["pb_public/parts/diff.js"] = []byte("import x from \"./card.js\"\n")
			files["pb_public/parts/items.js"] = []byte("import x from \"./diff.js\"\n")
			files[row.path] = []byte(row.src)
			got := strings.Join(webBreaches(files), "; ")
			if row.want == "" && got != "" || !strings.Contains(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// commentedTemplate finds a template with a line that looks like a comment, which
// the server would take out of it.
func commentedTemplate(src string) bool {
	for at := 0; ; {
		i := strings.Index(src[at:], "html`")
		if i < 0 {
			return false
		}
		at += i + len("html`")
		var markup strings.Builder
		template(src, at, &markup)
		if commented.MatchString(markup.String()) {
			return true
		}
	}
}

var commented = regexp.MustCompile(`\n\s*(//|/\*)`)

// webFolders are the folders of the front end, and what each may import besides
// itself, at once or when it is wanted.
var webFolders = map[string][]string{
	"lib":         {"third_party"},
	"parts":       {"lib", "third_party"},
	"pages":       {"lib", "parts", "third_party"},
	"pages.js":    {"pages", "parts"},
	"app.js":      {"lib", "parts", "pages", "pages.js"},
	"kit.js":      {"lib", "parts"},
	"sw.js":       {},
	"third_party": {},
}

var (
	imported = regexp.MustCompile(`(?:^|\n)\s*(?:import|export)\b[^"'\n;():=]*?(?:\{[^}]*\}[^"'\n;():=]*?)?["']([^"']+)["']`)
	awaited  = regexp.MustCompile(`\bimport\("([^"]+)"\)`)
	// forbidden is what the policy refuses, what could run somebody's words, and what loses a cent.
	forbidden = regexp.MustCompile("innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\\.write|new Function|\\beval\\(|\\bstyle=[\"']|console\\.|parseFloat|https?://")
	// read is an attribute whose value people read, or hear.
	readAttribute = regexp.MustCompile(`\b(?:placeholder|title|alt|label|aria-label|aria-description|aria-placeholder|aria-roledescription|aria-valuetext)="([^"]*)"`)
)

func webBreaches(files map[string][]byte) (found []string) {
	imports := map[string][]string{}
	for name, data := range files {
		core := strings.HasPrefix(name, "pb_public/")
		plugin := strings.HasPrefix(name, "tools/") && strings.Contains(name, "/web/")
		if path.Ext(name) != ".js" || !core && !plugin || strings.HasPrefix(name, "pb_public/third_party/") {
			continue
		}
		breach := func(text string) { found = append(found, name+" "+text) }
		if n := bytes.Count(data, []byte("\n")); n > 350 {
			breach("has " + strconv.Itoa(n) + " lines: 350 are enough for one noun")
		}
		for _, what := range importsOf(data) {
			if text := mayNot(files, name, what, core); text != "" {
				breach(text)
			}
			to := path.Join(path.Dir(name), what)
			imports[name] = append(imports[name], to)
		}
		if m := forbidden.Find(withoutComments(data)); m != nil {
			breach("has " + string(m))
		}
		if commentedTemplate(string(data)) {
			breach("has a template with a line that begins like a comment")
		}
		for _, words := range append(said(string(withoutComments(data))), sentences(withoutComments(data))...) {
			breach("says " + `"` + words + `"` + " itself: sentences are in the catalogue")
		}
	}
	for _, circle := range circles(imports) {
		last := len(circle) - 1
		found = append(found, strings.Join(circle[:last], ", ")+" and "+circle[last]+" import each other")
	}
	slices.Sort(found)
	return found
}

// importsOf are what a script imports, at once or when it is wanted.
func importsOf(data []byte) (all []string) {
	for _, m := range slices.Concat(imported.FindAllSubmatch(data, -1), awaited.FindAllSubmatch(data, -1)) {
		all = append(all, string(m[1]))
	}
	return all
}

// circles finds modules that lead back to themselves, each with all that are on
// such a way with it.
func circles(imports map[string][]string) (found [][]string) {
	reach := map[string]map[string]bool{}
	var walk func(from, at string)
	walk = func(from, at string) {
		for _, to := range imports[at] {
			if !reach[from][to] {
				reach[from][to] = true
				walk(from, to)
			}
		}
	}
	for name := range imports {
		reach[name] = map[string]bool{}
		walk(name, name)
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		var with []string
		for to := range reach[name] {
			if reach[to][name] {
				with = append(with, to)
			}
		}
		slices.Sort(with)
		if len(with) > 0 && with[0] == name {
			found = append(found, with)
		}
	}
	return found
}

// mayNot says why name may not import what, or nothing.
func mayNot(files map[string][]byte, name, what string, core bool) string {
	if !strings.HasPrefix(what, "./") && !strings.HasPrefix(what, "../") {
		return `imports "` + what + `": only what is served here, by its path`
	}
	if !core {
		// ext/NAME/ lies two folders deep.
		to := path.Join("ext/x", strings.TrimPrefix(path.Dir(name)[strings.Index(name, "/web"):], "/web"), what)
		if strings.HasPrefix(to, "ext/x/") {
			to = path.Join(path.Dir(name), what)
			if _, ok := files[to]; !ok {
				return `imports "` + what + `", which is not there`
			}
			return ""
		}
		if to != "kit.js" {
			return "may not import " + path.Dir(to) + ": a plugin's page takes what it needs from kit.js"
		}
		return ""
	}
	to := path.Join(path.Dir(name), what)
	if _, ok := files[to]; !ok {
		return `imports "` + what + `", which is not there`
	}
	from, target := webFolder(name), webFolder(to)
	if from != target && !slices.Contains(webFolders[from], target) {
		return "may not import " + target + " from " + from
	}
	return ""
}

func webFolder(name string) string {
	top, _, _ := strings.Cut(strings.TrimPrefix(name, "pb_public/"), "/")
	return top
}

// withoutComments blanks comments that stand alone on their lines, and those of
// JSDoc; an address within a string stays.
func withoutComments(data []byte) []byte {
	var out bytes.Buffer
	inside := false
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case inside:
			inside = !strings.Contains(line, "*/")
		case strings.HasPrefix(line, "/*"):
			inside = !strings.Contains(line, "*/")
		case strings.HasPrefix(line, "//"):
		default:
			out.WriteString(lines.Text())
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// said finds words that a script's templates say by themselves: text between
// tags, and attributes that people read. What stands in pre and code is code.
func said(src string) (words []string) {
	for at := 0; ; {
		i := strings.Index(src[at:], "html`")
		if i < 0 {
			return words
		}
		at += i + len("html`") // templates within are looked at by themselves
		var markup strings.Builder
		template(src, at, &markup)
		for _, m := range readAttribute.FindAllStringSubmatch(markup.String(), -1) {
			words = append(words, spoken(m[1])...)
		}
		text := regexp.MustCompile(`(?s)<(pre|code)\b.*?</(?:pre|code)>`).ReplaceAllString(markup.String(), "")
		text = regexp.MustCompile(`(?s)<[^>]*>`).ReplaceAllString(text, "\x00")
		for one := range strings.SplitSeq(text, "\x00") {
			words = append(words, spoken(one)...)
		}
	}
}

// sentences finds strings that read like prose, wherever they stand: several words that begin with a
// capital letter, or one that is chosen between two.
func sentences(src []byte) (words []string) {
	for line := range bytes.Lines(src) {
		if at := bytes.Index(line, []byte(" // ")); at >= 0 {
			line = line[:at]
		}
		for _, m := range prose.FindAllSubmatch(line, -1) {
			words = append(words, string(m[1])+string(m[2]))
		}
	}
	return words
}

var prose = regexp.MustCompile(`["'](\p{Lu}\p{Ll}+,? \p{L}[^"']*)["']|[?:] ["'](\p{Lu}\p{Ll}+)["']`)

// template copies the markup of a template literal that begins at i, a mark for
// each expression in it, and gives where it ends.
func template(src string, i int, out *strings.Builder) int {
	for i < len(src) {
		switch {
		case src[i] == '\\':
			i += 2
		case src[i] == '`':
			return i + 1
		case strings.HasPrefix(src[i:], "${"):
			i = expression(src, i+2)
			out.WriteByte('\x01')
		default:
			out.WriteByte(src[i])
			i++
		}
	}
	return i
}

// expression skips what is between ${ and its brace.
func expression(src string, i int) int {
	for depth := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i + 1
			}
			depth--
		case '`':
			i = template(src, i+1, &strings.Builder{}) - 1
		case '"', '\'':
			for i++; i < len(src) && src[i] != c; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		}
	}
	return i
}

// spoken are the words in a piece of text.
func spoken(text string) (words []string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\x01", " "))
	if strings.ContainsFunc(text, unicode.IsLetter) && text != "Nodkeep" && text != "×" {
		words = append(words, text)
	}
	return words
}

// TestThirdParty: the scripts of others, those for tests too, are those that VERSIONS
// beside them names, unchanged, with their licences.
func TestThirdParty(t *testing.T) {
	files := repository(t)
	for _, folder := range []string{"pb_public/third_party/", "e2e/third_party/"} {
		for _, fault := range thirdPartyFaults(files, folder) {
			t.Error(fault)
		}
	}
}

// TestThirdPartyCanFail breaks each rule once.
func TestThirdPartyCanFail(t *testing.T) {
	sum := sha256.Sum256([]byte("a"))
	line := "a.js @x/a 1.0.0 dist/a.js " + hex.EncodeToString(sum[:]) + " MIT\n"
	rows := []struct {
		name, want string
		files      map[string]string
	}{
		{"fine", "", map[string]string{"VERSIONS": line, "a.js": "a", "licenses/x-a.txt": "MIT"}},
		{"no list", "has no VERSIONS", map[string]string{"a.js": "a"}},
		{"changed", "is not what VERSIONS says", map[string]string{"VERSIONS": line, "a.js": "b", "licenses/x-a.txt": "MIT"}},
		{"gone", "is not what VERSIONS says", map[string]string{"VERSIONS": line, "licenses/x-a.txt": "MIT"}},
		{"not listed", "b.js is not in VERSIONS", map[string]string{"VERSIONS": line, "a.js": "a", "b.js": "b", "licenses/x-a.txt": "MIT"}},
		{"no licence", "licence of @x/a is missing", map[string]string{"VERSIONS": line, "a.js": "a"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			files := map[string][]byte{}
			for name, data := range row.files {
				files["third/"+name] = []byte(data)
			}
			if got := strings.Join(thirdPartyFaults(files, "third/"), "; "); row.want == "" && got != "" || !strings.Contains(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

func thirdPartyFaults(files map[string][]byte, folder string) (faults []string) {
	list, ok := files[folder+"VERSIONS"]
	if !ok {
		return []string{folder + " has no VERSIONS"}
	}
	listed := map[string]bool{"VERSIONS": true}
	for line := range strings.Lines(string(list)) {
		f := strings.Fields(line)
		if len(f) != 6 {
			faults = append(faults, strconv.Quote(line)+" is not: file, package, version, path in it, SHA-256, licence")
			continue
		}
		listed[f[0]] = true
		sum := sha256.Sum256(files[folder+f[0]])
		if got := hex.EncodeToString(sum[:]); got != f[4] {
			faults = append(faults, folder+f[0]+" is not what VERSIONS says: "+got)
		}
		if files[folder+"licenses/"+strings.TrimPrefix(strings.ReplaceAll(f[1], "/", "-"), "@")+".txt"] == nil {
			faults = append(faults, "the licence of "+f[1]+" is missing")
		}
	}
	for name := range files {
		if base, ok := strings.CutPrefix(name, folder); ok && !listed[base] && !strings.HasPrefix(base, "licenses/") {
			faults = append(faults, name+" is not in VERSIONS")
		}
	}
	return faults
}
