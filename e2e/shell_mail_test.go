package e2e

import (
	"bufio"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// mailbox is a server for mail that keeps what it is given.
func mailbox(t testing.TB) (port int, mails <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	got := make(chan string, 20)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go take(c, got)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port, got
}

func take(c net.Conn, got chan<- string) {
	defer c.Close()
	fmt.Fprint(c, "220 here\r\n")
	var mail strings.Builder
	inside := false
	for lines := bufio.NewScanner(c); lines.Scan(); {
		line := lines.Text()
		switch {
		case inside && line == ".":
			inside = false
			got <- mail.String()
			mail.Reset()
			fmt.Fprint(c, "250 kept\r\n")
		case inside:
			if part, broken := strings.CutSuffix(line, "="); broken {
				mail.WriteString(part)
			} else {
				fmt.Fprintln(&mail, line)
			}
		case strings.HasPrefix(line, "DATA"):
			inside = true
			fmt.Fprint(c, "354 go on\r\n")
		case strings.HasPrefix(line, "QUIT"):
			fmt.Fprint(c, "221 bye\r\n")
			return
		default:
			fmt.Fprint(c, "250 yes\r\n")
		}
	}
}

var digits = regexp.MustCompile(`\b\d{8}\b`)

// code waits for a mail that says one in its body; others tell of a new device.
func code(t testing.TB, mails <-chan string) string {
	t.Helper()
	for {
		select {
		case mail := <-mails:
			_, body, _ := strings.Cut(mail, "\n\n")
			if found := digits.FindString(body); found != "" {
				return found
			}
		case <-time.After(patience):
			t.Fatal("no mail with a code came")
		}
	}
}

// TestShellSecondFactor: signing in with a code by mail, alone and after the password, and
// changing the password where the instance wants both.
func TestShellSecondFactor(t *testing.T) {
	i := &instance{t: t, base: "http://" + free(t), dir: filepath.Join(t.TempDir(), "pb_data")}
	port, mails := mailbox(t)
	i.command("superuser", "upsert", "root@example.com", password)
	i.command("account", "add", "ana", "--password", password, "--operator")
	i.command("account", "add", "ben", "--password", password)
	i.start("serve", "--dir", i.dir, "--http", strings.TrimPrefix(i.base, "http://"))
	_, answer := i.try("", "POST", "/api/collections/_superusers/auth-with-password", map[string]string{"identity": "root@example.com", "password": password})
	root := fmt.Sprint(answer["token"])
	set := func(method, path string, body any) {
		t.Helper()
		if status, a := i.try(root, method, path, body); status >= 300 {
			t.Fatalf("%s: %d %v", path, status, a)
		}
	}
	set("PATCH", "/api/settings", map[string]any{"smtp": map[string]any{"enabled": true, "host": "127.0.0.1", "port": port, "tls": false}})
	for name, l := range map[string]look{"desktop": desktop, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			l.language = "es"
			set("PATCH", "/api/collections/users", map[string]any{"otp": map[string]any{"enabled": true}, "mfa": map[string]any{"enabled": false}})
			handle := map[string]string{"desktop": "ana", "phone": "ben"}[name] // five codes in three minutes are tried of one
			address := handle + "@example.com"
			who := i.ask(handle, "GET", "/api/nodkeep/me", nil)
			set("PATCH", "/api/collections/users/records/"+fmt.Sprint(who["id"]), map[string]any{"email": address, "verified": true})
			w := open(t, i.base, l)
			w.allow("Failed to load resource")
			w.visit("/")
			w.fill("Nombre o correo", address)
			w.press("Mejor envíame un código")
			w.until("the field for it", `document.activeElement.name === "code"`)
			w.accessible()
			w.keep("code")
			w.write("00000000")
			w.press("Entrar")
			w.until("that it is wrong", `document.querySelector("[role=alert]")`)
			w.fill("Código", code(t, mails))
			w.press("Entrar")
			w.until("the shell", `document.querySelector("nav.nav")`)

			set("PATCH", "/api/collections/users", map[string]any{"mfa": map[string]any{"enabled": true}})
			w = open(t, i.base, l)
			w.allow("Failed to load resource")
			w.visit("/#/settings")
			w.signs(address, password)
			w.until("the second factor", `document.activeElement.name === "code"`)
			w.keep("second")
			w.fill("Código", code(t, mails))
			w.press("Entrar")
			w.until("the page that was asked for", `document.querySelector("h1")?.textContent === "Ajustes"`)
		})
	}
}
