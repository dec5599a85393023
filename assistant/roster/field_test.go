package roster

import "testing"

// TestAddresses: each host is written in one way, which nobody takes for another.
func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://API.Anthropic.com.:443/":            "https://api.anthropic.com",
		"http://127.0.0.1:80":                        "http://127.0.0.1",
		"https://127.0.0.1:080":                      "https://127.0.0.1:80",
		"http://[::1]:11434/v1":                      "http://[::1]:11434/v1",
		"http://[0:0::0:1]":                          "http://[::1]",
		"http://model_box:8000/v1/chat/completions/": "http://model_box:8000/v1",
		"https://a.example?":                         "https://a.example",
		"https://xn--e1afmkfd.example":               "https://xn--e1afmkfd.example",
		"https://a.example/a%20b":                    "",
		"https://a.example/%0d%0aX:y":                "",
		"https://а.example":                          "", // no Latin letter
		"https://ｅ.example":                          "",
		"https://api.anthropic.com。":                 "",
		"http://[fe80::1%25eth0]:80":                 "",
		"http://a.example:":                          "",
		"http://a.example:0":                         "",
		"http://a.example:65536":                     "",
		"http://a..example":                          "",
		"http://.example":                            "",
		"http://...":                                 "",
		"http://127.1":                               "",
		"http://2130706433":                          "",
		"http://0x7f.0x1":                            "",
		"http://a.example;b.example":                 "",
		"http://<b>.example":                         "",
		"http://a\\@b.example":                       "",
		"http://@a.example":                          "",
		"http://u@a.example":                         "",
	} {
		got, err := Clean(fieldBaseURL, address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", address, got, err, want)
		}
		if again, err := Clean(fieldBaseURL, got); want != "" && (again != got || err != nil) {
			t.Errorf("%q becomes %q", got, again)
		}
	}
}
