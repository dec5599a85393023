// Command refresh brings the scripts of others that the web front end and its
// tests use: the versions that VERSIONS beside them names, as their packages hold
// them, with imports of each other made relative, since browsers know no
// package names. Change a version there, run it, look at the difference.
//
//	go run ./e2e/refresh
package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	for _, folder := range []string{"pb_public/third_party", "e2e/third_party"} {
		if err := refresh(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// refresh brings what a folder's VERSIONS names.
func refresh(folder string) error {
	list := filepath.Join(folder, "VERSIONS")
	data, err := os.ReadFile(list)
	if err != nil {
		return fmt.Errorf("run it at the top of the repository: %w", err)
	}
	dir, err := os.MkdirTemp("", "nodkeep-refresh-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // only copies lie there
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 6 {
			return fmt.Errorf("%s: %q is not: file, package, version, path in it, SHA-256, licence", list, line)
		}
		script, err := fetch(dir, f[1]+"@"+f[2], f[3])
		if err != nil {
			return fmt.Errorf("%s %s: %w", f[1], f[2], err)
		}
		script = relative(f[0], script)
		if err := os.WriteFile(filepath.Join(folder, f[0]), []byte(script), 0o644); err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(script))
		f[4] = hex.EncodeToString(sum[:])
		fmt.Fprintln(&out, strings.Join(f, " "))
	}
	return os.WriteFile(list, []byte(out.String()), 0o644)
}

// fetch gives a file of a package.
func fetch(dir, name, path string) (string, error) {
	c := exec.Command("npm", "pack", "--silent", name)
	c.Dir, c.Stderr = dir, os.Stderr
	made, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack: %w", err)
	}
	f, err := os.Open(filepath.Join(dir, strings.TrimSpace(string(made))))
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	for files := tar.NewReader(unpacked); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return "", fmt.Errorf("it has no %s", path)
		}
		if err != nil {
			return "", err
		}
		if h.Name == "package/"+path {
			data, err := io.ReadAll(files)
			return string(data), err
		}
	}
}

var mapping = regexp.MustCompile(`\n?//# sourceMappingURL=.*`)

// relative makes a script one that a browser takes as it is.
func relative(file, script string) string {
	script = mapping.ReplaceAllString(script, "")
	script = strings.NewReplacer(
		`from"preact/hooks"`, `from"./hooks.js"`,
		`from"@preact/signals-core"`, `from"./signals-core.js"`,
		`from"preact"`, `from"./preact.js"`,
	).Replace(script)
	if file == "uplot.js" { // a script that leaves a name behind, smaller than its module
		script = strings.TrimRight(script, "\n") + "\nexport default uPlot;\n"
	}
	return script
}
