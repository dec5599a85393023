package roster

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// cloud is a host that is known, with how it is best spoken to.
type cloud struct {
	name, host string // host is a name of DNS
	protocol   gateway.Protocol
	base       string
}

// clouds are the hosts that have a dialect of their own.
func clouds() []cloud {
	return []cloud{
		{"Anthropic", "api.anthropic.com", gateway.Anthropic, "https://api.anthropic.com"},
		{"OpenAI", "api.openai.com", gateway.Responses, "https://api.openai.com/v1"},
		{"Mistral", "api.mistral.ai", gateway.OpenAI, "https://api.mistral.ai/v1"},
		{"Google Gemini", "generativelanguage.googleapis.com", gateway.OpenAI, "https://generativelanguage.googleapis.com/v1beta/openai"},
		{"OpenRouter", "openrouter.ai", gateway.OpenAI, "https://openrouter.ai/api/v1"},
		{"xAI", "api.x.ai", gateway.Responses, "https://api.x.ai/v1"},
	}
}

// cloudAt finds a host that is known, by a whole name or one below it.
func cloudAt(address string) (cloud, bool) {
	name := hostname(address)
	for _, c := range clouds() {
		if gateway.IsHost(name, c.host) {
			return c, true
		}
	}
	if gateway.IsHost(name, "anthropic.com") {
		return clouds()[0], true
	}
	return cloud{}, false
}

// protocolOf is how the host at an address is spoken to, unless somebody says.
func protocolOf(address string) gateway.Protocol {
	if c, ok := cloudAt(address); ok {
		return c.protocol
	}
	return gateway.OpenAI
}

// addressOf is where a protocol leads, unless somebody says.
func addressOf(p gateway.Protocol) string {
	switch p {
	case gateway.Anthropic:
		return "https://api.anthropic.com"
	case gateway.OpenAI, gateway.Responses:
		return "https://api.openai.com/v1"
	}
	return ""
}

// BaseOf is the address below which a host is asked: that of one that is known,
// plain HTTP for one on this machine, else HTTPS. An address stays as it is.
func BaseOf(host string) string {
	if strings.Contains(host, "://") {
		return host
	}
	if c, ok := cloudAt("https://" + host); ok && !strings.Contains(host, ":") {
		return strings.Replace(c.base, c.host, strings.ToLower(host), 1)
	}
	if here("http://" + host) {
		return "http://" + host
	}
	return "https://" + host
}

func hostname(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}

// place is a host and its port, the same for all ways to write it.
func place(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	name, port := hostname(address), u.Port()
	if here(address) {
		name = "localhost"
	}
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return name + ":" + port
}

// here says that an address is on this machine.
func here(address string) bool {
	name := hostname(address)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || name == "host.docker.internal" {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}

// Near says that an assistant is on this machine or in its network, where a key
// is rarely asked for and nobody in between reads what is sent.
func (a Assistant) Near() bool {
	if a.Local {
		return true
	}
	name := hostname(a.BaseURL)
	if ip, err := netip.ParseAddr(name); err == nil {
		ip = ip.Unmap()
		return ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	for _, end := range []string{".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return name != "" && !strings.Contains(name, ".") // a name in a network of containers
}

// PDFs says that it is known to read PDFs.
func (a Assistant) PDFs() bool { return gateway.ReadsPDF(a.Protocol, a.Host) }

// PersonField is the field by which the host is told the opaque id of a person;
// "" where it has none.
func (a Assistant) PersonField() string { return gateway.PersonField(a.Protocol, a.Host) }

// below is an endpoint below the base address, which has /v1 unless it has a
// path of its own.
func (a Assistant) below(path string) string {
	u, err := url.Parse(a.BaseURL)
	if err != nil {
		return ""
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1"
	}
	return u.JoinPath(path).String()
}
