package hooks

import (
	"net/url"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// place says where data, files and backups are.
func (p practice) place() []tools.Text {
	says := []tools.Text{tools.T("privacy.place.data")}
	if p.pb.S3.Enabled {
		says = append(says, tools.T("privacy.place.files_s3", bucket(p.pb.S3)))
	} else {
		says = append(says, tools.T("privacy.place.files"))
	}
	b := p.pb.Backups
	switch {
	case b.Cron == "":
		says = append(says, tools.T("privacy.backup.none"))
	case b.CronMaxKeep > 0:
		says = append(says, tools.T("privacy.backup.cron_keep", b.Cron, b.CronMaxKeep))
	default:
		says = append(says, tools.T("privacy.backup.cron", b.Cron))
	}
	if b.S3.Enabled {
		says = append(says, tools.T("privacy.backup.s3", bucket(b.S3)))
	} else {
		says = append(says, tools.T("privacy.backup.local"))
	}
	return append(says, tools.T("privacy.place.machine"))
}

// bucket names the host of a store and its region, and nothing that opens it.
func bucket(s core.S3Config) tools.Text {
	if s.Region == "" {
		return tools.T("", host(s.Endpoint))
	}
	return tools.T("privacy.region", host(s.Endpoint), s.Region)
}

// host of an address that may be written without a scheme; what stands before
// an @ is somebody's.
func host(address string) string {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return "?"
	}
	return u.Hostname()
}

// leaves says what goes out of the instance, and to whom.
func (p practice) leaves() (says []tools.Text) {
	for _, s := range p.sources {
		says = append(says, tools.T("privacy.source", tools.T(s.Title), host(s.URL)))
	}
	if len(p.sources) == 0 {
		says = append(says, tools.T("privacy.source.none"))
	}
	if p.pb.SMTP.Enabled {
		says = append(says, tools.T("privacy.mail", host(p.pb.SMTP.Host)))
	} else {
		says = append(says, tools.T("privacy.mail.none"))
	}
	if of := p.users.OAuth2; of.Enabled && len(of.Providers) > 0 {
		var names []tools.Text
		for _, provider := range of.Providers {
			names = append(names, providerName(provider))
		}
		says = append(says, tools.T("privacy.oauth2", names))
	} else {
		says = append(says, tools.T("privacy.oauth2.none"))
	}
	switch {
	case slices.Contains(p.origins, anyOrigin):
		says = append(says, tools.T("privacy.origins.all"))
	case len(p.origins) > 0:
		says = append(says, tools.T("privacy.origins", strings.Join(p.origins, ", ")))
	}
	var measured []string
	for _, to := range []string{p.settings.Telemetry.Traces, p.settings.Telemetry.Metrics} {
		if to != "" && !slices.Contains(measured, host(to)) {
			measured = append(measured, host(to))
			says = append(says, tools.T("privacy.telemetry", host(to)))
		}
	}
	if len(p.pb.TrustedProxy.Headers) > 0 {
		says = append(says, tools.T("privacy.proxy"))
	}
	return says
}

// providerName is what a provider is called, and where a person is sent if that
// is said in the settings.
func providerName(c core.OAuth2ProviderConfig) tools.Text {
	name := c.DisplayName
	if name == "" {
		name = c.Name
	}
	if c.AuthURL == "" {
		return tools.T("", name)
	}
	return tools.T("privacy.at", name, host(c.AuthURL))
}
