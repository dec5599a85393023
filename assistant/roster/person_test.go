package roster

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestPrivacyNamesTheFieldThatIsSent: by each protocol to each host, also where
// the two are an odd pair, what /privacy says of the opaque id is what is sent.
func TestPrivacyNamesTheFieldThatIsSent(t *testing.T) {
	bases := []string{"https://eu.anthropic.com", "https://eu.api.openai.com", "http://127.0.0.1:11434", "https://proxy.example/v1", "https://api.x.ai.evil.example"}
	for _, c := range clouds() {
		bases = append(bases, c.base)
	}
	for _, base := range bases {
		for _, p := range []gateway.Protocol{gateway.Anthropic, gateway.OpenAI, gateway.Responses} {
			a := made("x", fields("base_url="+base, "model=m", "protocol="+string(p)), nil, true)
			s, err := gateway.Encode(gateway.Config{Protocol: p, BaseURL: a.BaseURL, Model: "m"}, gateway.Request{
				Person: "opaque", Messages: []gateway.Message{{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: "Hi"}}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			says, sent := a.PersonField(), strings.Count(string(s.Body), "opaque")
			name := says[strings.LastIndex(says, ".")+1:]
			if says == "" && sent > 0 || says != "" && (sent != 1 || !strings.Contains(string(s.Body), `"`+name+`":"opaque"`)) {
				t.Errorf("%s by %s: it says %q and sends %s", base, p, says, s.Body)
			}
		}
	}
}
