package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// oldest is a time that this build cannot have been made before.
var oldest = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// examine looks at what can be seen without opening the folder.
func (a *App) examine() []check {
	checks := a.examineSettings()
	checks = append(checks, a.examineFolder(), a.examineKey())
	return append(checks, examineClock(time.Now()), examineZones())
}

func (a *App) examineSettings() []check {
	if len(a.problems) == 0 {
		return []check{{Name: "settings", Says: "all can be read; plugins: " + strings.Join(a.settings.Plugins, ", ")}}
	}
	var checks []check
	for _, p := range a.problems {
		checks = append(checks, check{Name: "settings", Says: p.Name + " " + p.What, Fix: p.Fix})
	}
	return checks
}

func (a *App) examineFolder() check {
	c := check{Name: "data folder", Says: a.dir}
	dir := a.dir
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		c.Says += ", which the first start makes"
		dir = nearest(dir)
	}
	f, err := os.CreateTemp(dir, ".nodkeep-doctor-*")
	if err != nil {
		c.Says, c.Fix = a.dir+" cannot be written: "+err.Error(), "Give the user that runs nodkeep the right to write there, or another folder with --dir."
		return c
	}
	// A full disk still takes an empty file.
	_, err = f.Write(make([]byte, 64<<10))
	err = errors.Join(err, f.Close())
	_ = os.Remove(f.Name())
	if err != nil {
		c.Says, c.Fix = a.dir+" takes nothing more: "+err.Error(), "Make room on its disk: until then nobody can be let in or suspended, and nothing is written."
	}
	return c
}

// nearest is the closest folder above that exists.
func nearest(dir string) string {
	for {
		dir = filepath.Dir(dir)
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
}

func (a *App) examineKey() check {
	if a.settings.Key != "" {
		return check{Name: "key", Says: "given by NODKEEP_ENCRYPTION_KEY"}
	}
	path := tools.KeyFile(a.dir)
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err) && !a.used():
		return check{Name: "key", Says: path + ", which the first start makes"}
	case err != nil:
		return check{Name: "key", Says: path + " cannot be read: " + err.Error(), Fix: "Restore it from a backup, or set NODKEEP_ENCRYPTION_KEY."}
	case info.Mode().Perm()&0o077 != 0:
		return check{Name: "key", Says: path + " can be read by others (mode " + octal(info.Mode()) + ")", Fix: "Run: chmod 600 " + quoted(path)}
	}
	return check{Name: "key", Says: path}
}

func octal(m fs.FileMode) string { return fmt.Sprintf("%o", m.Perm()) }

func examineClock(now time.Time) check {
	c := check{Name: "clock", Says: now.UTC().Format(time.RFC3339)}
	if now.Before(oldest) {
		c.Says += " is in the past"
		c.Fix = "Set the clock of this machine: dates of charges and the audit follow it."
	}
	return c
}

func examineZones() check {
	for _, zone := range []string{"Europe/Berlin", "America/Mexico_City"} {
		if _, err := time.LoadLocation(zone); err != nil {
			return check{Name: "time zones", Says: "cannot be loaded: " + err.Error(), Fix: "Install the system's time zone data (the package tzdata)."}
		}
	}
	return check{Name: "time zones", Says: "can be loaded"}
}
