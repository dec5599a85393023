package hooks

import (
	"cmp"
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// weak is what doctor names though it is no fault: all works, but somebody
// could make use of it.
func weak(name, says, fix string) check {
	return check{Name: name, Weak: true, Says: says, Fix: fix}
}

// isPublic says that strangers reach the instance: by the address that is set,
// else by what its server is: one for which certificates were given out, or one
// that listens on a public address.
func (a *App) isPublic() bool {
	if a.settings.URL != "" {
		return isPublic(a.settings.URL)
	}
	return a.tls || isPublic(a.base)
}

// weakSettings are weaknesses that the settings tell of.
func (a *App) weakSettings() (found []check) {
	if a.inEffect().SignUp == signUpOpen && a.isPublic() {
		found = append(found, weak("sign-up", "is open to everybody who finds "+cmp.Or(a.settings.URL, "this server"), "Set NODKEEP_SIGN_UP=approval, or closed."))
	}
	if slices.Contains(a.otherOrigins(), anyOrigin) {
		found = append(found, weak("origins", "pages of every site may call the API from a browser", "Name the sites in NODKEEP_ORIGINS or with serve --origins, or leave both out: the instance's own pages need neither."))
	}
	return found
}

// weaknesses are those that the settings tell of, and the open folder.
func (a *App) weaknesses() ([]check, error) {
	found := a.weakSettings()
	for _, look := range []func() ([]check, error){a.weakProviders, a.weakSecrets, a.weakProxy, a.weakBackups, a.weakSuperusers, a.weakGuesses, a.weakRules, a.weakPrices} {
		more, err := look()
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// weakProviders are services to sign in with whose secret is in the database.
func (a *App) weakProviders() (found []check, err error) {
	cols, err := a.pb.FindAllCollections(core.CollectionTypeAuth)
	if err != nil {
		return nil, err
	}
	for _, col := range cols {
		var names []string
		for _, p := range col.OAuth2.Providers {
			if p.ClientSecret != "" {
				names = append(names, p.Name)
			}
		}
		if len(names) > 0 {
			found = append(found, weak("secrets", fmt.Sprintf("the client secret of %s (OAuth2 of %s) is in the database, and so in each backup, in plain text", strings.Join(names, ", "), col.Name),
				"PocketBase cannot encrypt it: keep the data folder and its backups on encrypted disks. Take out a provider that is not needed, in the dashboard, in the options of "+col.Name+"."))
		}
	}
	return found, nil
}

// weakSecrets are those of PocketBase's own settings, as they are stored. What
// PocketBase encrypts is no JSON.
func (a *App) weakSecrets() ([]check, error) {
	s := a.pb.Settings()
	var stored []byte
	if err := a.pb.DB().Select("value").From(s.TableName()).Where(dbx.HashExp{"id": s.PK()}).Row(&stored); err != nil {
		return nil, err
	}
	type s3 struct {
		Secret string `json:"secret"`
	}
	var plain struct {
		SMTP struct {
			Password string `json:"password"`
		} `json:"smtp"`
		S3      s3 `json:"s3"`
		Backups struct {
			S3 s3 `json:"s3"`
		} `json:"backups"`
	}
	if json.Unmarshal(stored, &plain) != nil {
		return nil, nil
	}
	var names []string
	for _, secret := range []struct{ name, value string }{{"SMTP", plain.SMTP.Password}, {"S3", plain.S3.Secret}, {"S3 for backups", plain.Backups.S3.Secret}} {
		if secret.value != "" {
			names = append(names, secret.name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return []check{weak("secrets", "the secrets of "+strings.Join(names, ", ")+" are in the database, and so in each backup, in plain text",
		"Start with --encryptionEnv NAME, where the variable NAME holds 32 characters, and save the settings once in the dashboard.")}, nil
}

// weakBackups are those that could not be read alone.
func (a *App) weakBackups() ([]check, error) {
	if a.settings.Key != "" {
		return nil, nil
	}
	there, err := filepath.Glob(filepath.Join(a.dir, core.LocalBackupsDirName, "*.zip"))
	if err != nil {
		return nil, err
	}
	if len(there) == 0 && a.pb.Settings().Backups.Cron == "" {
		return nil, nil
	}
	path := tools.KeyFile(a.dir)
	return []check{weak("backups", "no backup contains the key, which is only in "+path, "Copy the key to where your passwords are, and give it as NODKEEP_ENCRYPTION_KEY: without it a backup opens no secret and proves no audit.")}, nil
}

// weakSuperusers are those of a public instance who need but a password.
func (a *App) weakSuperusers() ([]check, error) {
	col, err := a.pb.FindCachedCollectionByNameOrId(core.CollectionNameSuperusers)
	if err != nil || !a.isPublic() || col.MFA.Enabled || len(a.pb.Settings().SuperuserIPs) > 0 {
		return nil, err
	}
	n, err := a.pb.CountRecords(col)
	if err != nil || n == 0 {
		return nil, err
	}
	return []check{weak("superusers", "a password alone opens the dashboard from everywhere, with all that the instance holds", "Say from where: "+a.command("superuser ips ADDRESS")+"; or ask for a second factor in the dashboard, in the options of "+col.Name+".")}, nil
}

// weakGuesses is a public instance where somebody may try passwords for ever:
// they wait for each other, but are not counted.
func (a *App) weakGuesses() ([]check, error) {
	if !a.isPublic() || a.pb.Settings().RateLimits.Enabled {
		return nil, nil
	}
	return []check{weak("guesses", "nobody counts how many passwords somebody tries", "Switch on the rate limits in the dashboard: Settings, Application, Rate limiting.")}, nil
}

// hasCertificates says that a server serves https itself, or did.
func (a *App) hasCertificates() bool {
	_, err := os.Stat(filepath.Join(a.dir, core.LocalAutocertCacheDirName))
	return a.tls || err == nil
}
