package hooks

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// isPublic says whether an address of ours can be reached by strangers, as far
// as it tells: not one of this machine or of a network at home.
func isPublic(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return !isNear(ip)
	}
	labels := strings.Split(host, ".")
	// Names that no public server answers for.
	return len(labels) > 1 && !strings.HasSuffix(host, ".home.arpa") &&
		!slices.Contains([]string{"localhost", "local", "lan", "home", "internal", "intranet", "private", "test"}, labels[len(labels)-1])
}

// isNear says that an address belongs to this machine or a private network,
// that of a provider or of a VPN (100.64.0.0/10) included.
func isNear(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10).Contains(ip)
}
