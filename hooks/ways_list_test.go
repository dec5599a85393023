package hooks

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// waysIn are those with one factor. routes_test.go names them.
func waysIn() []way {
	nothing := func(use func(*person) (bool, string)) func(*person) func() (bool, string) {
		return func(p *person) func() (bool, string) { return func() (bool, string) { return use(p) } }
	}
	// ask is a request with a token that was made before.
	ask := func(name, method, path, body string, in func(got) bool) way {
		return way{name, func(p *person) func() (bool, string) {
			token := p.token(p.handle)
			return func() (bool, string) {
				g := p.send(method, path, token, body)
				return in(g), fmt.Sprintf("%d %s", g.status, g.body)
			}
		}}
	}
	ok := func(g got) bool { return g.is(200) }
	heard := func(g got) bool { return !g.is(401) && !g.is(403) && !g.is(404) }
	return append([]way{
		{"password by handle", nothing(func(p *person) (bool, string) { return p.signsIn(p.handle, "a long password") })},
		{"password by address", nothing(func(p *person) (bool, string) { return p.signsIn(p.email, "a long password") })},
		{"password as a superuser", nothing(func(p *person) (bool, string) {
			return p.enters(p.send("POST", "/api/collections/users/auth-with-password", p.superuserOnce(), `{"identity":"`+p.handle+`","password":"a long password"}`))
		})},
		{"code", func(p *person) func() (bool, string) {
			id := p.code()
			return func() (bool, string) {
				return p.enters(p.send("POST", "/api/collections/users/auth-with-otp", "", `{"otpId":"`+id+`","password":"123456"}`))
			}
		}},
		{"code as a superuser", func(p *person) func() (bool, string) {
			id := p.code()
			return func() (bool, string) {
				return p.enters(p.send("POST", "/api/collections/users/auth-with-otp", p.superuserOnce(), `{"otpId":"`+id+`","password":"123456"}`))
			}
		}},
		{"requested code", func(p *person) func() (bool, string) {
			if g := p.send("POST", "/api/collections/users/request-otp", "", `{"email":"`+p.email+`"}`); !g.is(200) {
				p.t.Error("a code is requested: ", g)
			}
			return func() (bool, string) { return p.enters(p.mailedCode()) }
		}},
		{"OAuth2 by address", nothing(func(p *person) (bool, string) { return p.enters(p.oauth2("")) })},
		{"OAuth2 as a superuser", nothing(func(p *person) (bool, string) { return p.enters(p.oauth2(p.superuserOnce())) })},
		{"OAuth2 of a linked account", func(p *person) func() (bool, string) {
			link := core.NewExternalAuth(p.pb)
			link.SetCollectionRef(p.record().Collection().Id)
			link.SetRecordRef(p.record().Id)
			link.SetProvider("oidc")
			link.SetProviderId(p.handle)
			if err := p.pb.Save(link); err != nil {
				p.t.Fatal(err)
			}
			return func() (bool, string) { return p.enters(p.oauth2("")) }
		}},
		{"refresh", func(p *person) func() (bool, string) {
			token := p.token(p.handle)
			return func() (bool, string) {
				return p.enters(p.send("POST", "/api/collections/users/auth-refresh", token, ""))
			}
		}},
		{"impersonation", nothing(func(p *person) (bool, string) {
			return p.enters(p.send("POST", "/api/collections/users/impersonate/"+p.record().Id, p.superuserOnce(), `{"duration":60}`))
		})},
		{"confirmed password reset", func(p *person) func() (bool, string) {
			token := must[string](p)(p.record().NewPasswordResetToken())
			return func() (bool, string) {
				const password = "another long password"
				g := p.send("POST", "/api/collections/users/confirm-password-reset", "", `{"token":"`+token+`","password":"`+password+`","passwordConfirm":"`+password+`"}`)
				if in, said := p.enters(g); in {
					return in, said
				}
				if in, said := p.signsIn(p.handle, "a long password"); in {
					return in, said
				}
				return p.signsIn(p.handle, password)
			}
		}},
		{"confirmed e-mail address", func(p *person) func() (bool, string) {
			token := must[string](p)(p.record().NewVerificationToken())
			return func() (bool, string) {
				g := p.send("POST", "/api/collections/users/confirm-verification", "", `{"token":"`+token+`"}`)
				if in, said := p.enters(g); in {
					return in, said
				}
				return p.signsIn(p.email, "a long password")
			}
		}},
		{"confirmed change of address", func(p *person) func() (bool, string) {
			token := must[string](p)(p.record().NewEmailChangeToken("new-" + p.email))
			return func() (bool, string) {
				g := p.send("POST", "/api/collections/users/confirm-email-change", "", `{"token":"`+token+`","password":"a long password"}`)
				if in, said := p.enters(g); in {
					return in, said
				}
				if in, said := p.signsIn(p.handle, "a long password"); in {
					return in, said
				}
				return p.signsIn("new-"+p.email, "a long password")
			}
		}},
		ask("request of another address", "POST", "/api/collections/users/request-email-change", `{"newEmail":"x@example.org"}`, heard),
		ask("file token", "POST", "/api/files/token", "", ok),
		{"protected file", func(p *person) func() (bool, string) {
			token := must[string](p)(p.record().NewFileToken())
			return func() (bool, string) {
				g := p.send("GET", "/api/files/papers/"+p.paper+"/"+p.file+"?token="+token, "", "")
				return strings.Contains(g.body, "what it says"), fmt.Sprint(g)
			}
		}},
		{"static token", func(p *person) func() (bool, string) {
			token := must[string](p)(p.record().NewStaticAuthToken(time.Hour))
			return func() (bool, string) {
				g := p.send("GET", prefix+"/me", token, "")
				return g.is(200), fmt.Sprint(g)
			}
		}},
		ask("records", "GET", "/api/collections/papers/records", "", func(g got) bool { return strings.Contains(g.body, "a paper") }),
		ask("a record made", "POST", "/api/collections/papers/records", `{"title":"mine"}`, ok),
		ask("batch", "POST", "/api/batch", `{"requests":[{"method":"POST","url":"/api/collections/papers/records","body":{"title":"mine"}}]}`, ok),
		ask("tools", "GET", prefix+"/tools", "", ok),
		ask("a tool", "POST", prefix+"/tools/household_overview", "{}", ok),
		ask("a preview", "POST", prefix+"/tools/household_category_add?preview=1", `{"name":"Books"}`, ok),
		ask("audit", "GET", prefix+"/audit?since=2099-01-01T00:00:00Z", "", ok),
		ask("undo", "POST", prefix+"/undo", `{"audit":["aaaaaaaaaaaaaaa"]}`, func(g got) bool { return strings.Contains(g.body, `"not_found"`) }),
		ask("import", "POST", prefix+"/import", `{"text":"date;amount"}`, heard),
		ask("uploads", "GET", prefix+"/uploads", "", ok),
		ask("proposals", "GET", prefix+"/proposals", "", ok),
		ask("a decision", "POST", prefix+"/proposals/aaaaaaaaaaaaaaa/confirm", `{"digest":"x"}`, func(g got) bool { return strings.Contains(g.body, `"not_found"`) }),
		ask("profile", "GET", prefix+"/me", "", ok),
		ask("change of the profile", "POST", prefix+"/me", `{"language":"de"}`, ok),
		{"operator", func(p *person) func() (bool, string) {
			rec := p.record()
			rec.Set("operator", true)
			if err := p.pb.Save(rec); err != nil {
				p.t.Fatal(err)
			}
			token := p.token(p.handle)
			return func() (bool, string) {
				g := p.send("GET", prefix+"/operator/overview", token, "")
				return g.is(200), fmt.Sprint(g)
			}
		}},
		{"realtime", realtimeWay},
		{"realtime connection that is open", openRealtimeWay},
		{"command", nothing(func(p *person) (bool, string) {
			r := httptest.NewRequest("POST", prefix+"/tools/household_overview", nil)
			r.Header.Set(asHeader, p.handle)
			w := httptest.NewRecorder()
			local(p.handler).ServeHTTP(w, r)
			return w.Code == 200, fmt.Sprint(w.Code, w.Body)
		})},
	}, waysOfPages()...)
}

// waysOfMFA are those with two factors.
func waysOfMFA() []way {
	half := func(g got) (id string, said string) {
		_, rest, _ := strings.Cut(g.body, `"mfaId":"`)
		id, _, _ = strings.Cut(rest, `"`)
		return id, fmt.Sprintf("%d %s", g.status, g.body)
	}
	first := func(p *person, as string) got {
		return p.send("POST", "/api/collections/users/auth-with-password", as, `{"identity":"`+p.handle+`","password":"a long password"}`)
	}
	second := func(p *person, as, mfa, code string) got {
		return p.send("POST", "/api/collections/users/auth-with-otp", as, `{"otpId":"`+code+`","password":"123456","mfaId":"`+mfa+`"}`)
	}
	step := func(name string, superuser bool) way {
		return way{name, func(p *person) func() (bool, string) {
			return func() (bool, string) {
				as := ""
				if superuser {
					as = p.superuserOnce()
				}
				id, said := half(first(p, as))
				return id != "", said
			}
		}}
	}
	return append([]way{
		step("first of two factors", false),
		step("first of two factors as a superuser", true),
		{"second of two factors", func(p *person) func() (bool, string) {
			mfa := core.NewMFA(p.pb)
			mfa.SetCollectionRef(p.record().Collection().Id)
			mfa.SetRecordRef(p.record().Id)
			mfa.SetMethod(core.MFAMethodPassword)
			if err := p.pb.Save(mfa); err != nil {
				p.t.Fatal(err)
			}
			code := p.code()
			return func() (bool, string) { return p.enters(second(p, "", mfa.Id, code)) }
		}},
		{"both factors", func(p *person) func() (bool, string) {
			id, _ := half(first(p, ""))
			return func() (bool, string) {
				if n, err := p.pb.CountRecords(core.CollectionNameMFAs, dbx.HashExp{"id": id, "recordRef": p.record().Id}); err != nil || (n > 0 && p.record().GetString("status") != "approved") {
					return true, fmt.Sprint("the first factor is kept: ", n, err)
				}
				return p.enters(second(p, "", id, p.code()))
			}
		}},
	}, waysOfPagesMFA()...)
}

// code makes a code as PocketBase does when it is asked for one, but for anybody.
func (p *person) code() string {
	otp := core.NewOTP(p.pb)
	otp.SetCollectionRef(p.record().Collection().Id)
	otp.SetRecordRef(p.record().Id)
	otp.SetPassword("123456")
	otp.SetSentTo(p.email)
	if err := p.pb.Save(otp); err != nil {
		p.t.Fatal(err)
	}
	return otp.Id
}

// mailedCode signs in with the code that was sent, once it was.
func (p *person) mailedCode() got {
	for end := time.Now().Add(patient); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		p.mu.Lock()
		mail := p.mails[p.email]
		p.mu.Unlock()
		if mail != nil {
			return p.send("POST", "/api/collections/users/auth-with-otp", "", fmt.Sprintf(`{"otpId":%q,"password":%q}`, mail["otpId"], mail["password"]))
		}
		if p.record().GetString("status") != "approved" {
			break
		}
	}
	return got{0, "no code came"}
}
