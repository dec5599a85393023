package hooks

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// TestOperatorEndpoints are for operators and superusers, and for nobody else.
func TestOperatorEndpoints(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	suspended := i.member("dora")
	i.makeOperator("dora")
	dora := i.token("dora")
	i.stand("dora", "suspended")
	cy, _ := i.signUp("cy")
	root := i.superuser()
	for _, rt := range i.operatorRoutes() {
		path := prefix + strings.NewReplacer("{account}", cy, "{id}", "none").Replace(rt.path)
		for name, row := range map[string]struct {
			token string
			want  int
			kind  tools.Kind
		}{
			"a guest":              {"", 401, tools.Unauthorized},
			"nonsense":             {"nonsense", 401, tools.Unauthorized},
			"a member":             {i.token("bob"), 403, tools.Forbidden},
			"a suspended operator": {dora, 401, tools.Unauthorized},
		} {
			before := i.text("users") + i.text("nodkeep_links")
			status, a := i.web(rt.method, path, row.token, "")
			if want(t, status, a, row.want, row.kind); t.Failed() {
				t.Fatalf("%s at %s %s", name, rt.method, path)
			}
			if i.text("users")+i.text("nodkeep_links") != before {
				t.Fatalf("%s changed something at %s", name, path)
			}
			if said := a.String(); strings.Contains(said, "cy") || strings.Contains(said, "dora") {
				t.Errorf("%s is told of somebody at %s: %s", name, path, said)
			}
		}
		for name, token := range map[string]string{"an operator": i.token("ann"), "a superuser": root} {
			if rt.method != "GET" {
				path += "?preview=1"
			}
			if status, a := i.web(rt.method, path, token, ""); status == 401 || status == 403 || status >= 500 || (rt.method == "GET" && status != 200) {
				t.Errorf("%s at %s %s: %d %s", name, rt.method, path, status, a)
			}
		}
	}
	// Of accounts that wait, more is told; PocketBase's own lists tell as much
	// as its rules do.
	_, a := i.web("GET", prefix+"/operator/waiting", i.token("ann"), "")
	if a.str("items", "0", "handle") != "cy" || a.len("items", "0", "words") != 4 {
		t.Errorf("%s", a)
	}
	_, a = i.web("GET", prefix+"/operator/accounts?handle=D", root, "")
	if a.len("items") != 1 || a.str("items", "0", "id") != suspended.Id || a.str("items", "0", "status") != "suspended" || a.at("items", "0", "email") != nil {
		t.Errorf("%s", a)
	}
	for _, query := range []string{"limit=0x", "limit=201", "cursor=x", "unknown=1", "handle=a&limit=-1"} {
		status, a := i.web("GET", prefix+"/operator/accounts?"+query, root, "")
		want(t, status, a, 400, tools.Invalid)
	}
	for _, handle := range []string{"bob", "ann"} {
		_, a = i.web("GET", prefix+"/tools", i.token(handle), "")
		if offers := strings.Contains(a.String(), "nodkeep_account_approve"); offers != (handle == "ann") {
			t.Errorf("the list of tools offers %s those of operators: %v", handle, offers)
		}
	}
}

// TestSuperusersUseNoOtherTools, and take nothing back.
func TestSuperusersUseNoOtherTools(t *testing.T) {
	i := newInstance(t)
	root := i.superuser()
	_, audit := i.add(i.token("ann"), "Netflix", "")
	for _, tool := range []string{"household_overview", "household_subscription_list", "nodkeep_me_update", "nodkeep_me_password", "nodkeep_me_signout", "nodkeep_me_delete"} {
		status, a := i.call(tool, root, `{}`)
		want(t, status, a, 403, tools.Forbidden)
	}
	for _, path := range []string{"/undo", "/undo?preview=1"} {
		status, a := i.web("POST", prefix+path, root, `{"audit":["`+audit+`"]}`)
		want(t, status, a, 403, tools.Forbidden)
	}
	status, a := i.web("POST", prefix+"/me", root, `{"language":"de"}`)
	want(t, status, a, 403, tools.Forbidden)
	status, a = i.local("POST", "/tools/household_overview", "", "")
	want(t, status, a, 401, tools.Unauthorized)
	status, a = i.local("POST", "/operator/accounts", "bob", `{"handle":"eve"}`)
	want(t, status, a, 403, tools.Forbidden)
}

// TestStaticSuperuserTokensCannotConfirm: what needs a nod needs somebody who
// signed in.
func TestStaticSuperuserTokensCannotConfirm(t *testing.T) {
	i := newInstance(t)
	root := i.superuser()
	rec, err := i.pb.FindAuthRecordByEmail("_superusers", "root@example.com")
	if err != nil {
		t.Fatal(err)
	}
	static, err := rec.NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	path := prefix + "/operator/accounts/" + i.user("bob").Id + "/suspend"
	status, a := i.web("POST", path, static, "")
	want(t, status, a, 409, tools.DigestRequired)
	if a.str("data", "card", "title", "text") != "Suspend bob" || a.at("data", "card", "grave") != true {
		t.Errorf("what there is to agree to is not shown: %s", a)
	}
	digest := a.str("data", "digest")
	status, a = i.web("POST", path, static, "", digestHeader, digest)
	want(t, status, a, 403, tools.Forbidden)
	status, a = i.web("POST", path, i.token("ann"), "", digestHeader, digest)
	want(t, status, a, 403, tools.Forbidden)
	i.makeOperator("ann")
	status, a = i.web("POST", path, i.token("ann"), "", digestHeader, digest)
	want(t, status, a, 409, tools.Stale) // it is another's
	if i.user("bob").GetString("status") != tools.Approved {
		t.Fatal("bob is suspended")
	}
	status, a = i.web("POST", path, root, "", digestHeader, digest)
	want(t, status, a, 200, "")
	if a.at("receipt", "undo_until") != nil || i.user("bob").GetString("status") != "suspended" {
		t.Errorf("%s", a)
	}
	status, a = i.web("POST", prefix+"/operator/accounts/"+i.user("bob").Id+"/restore", static, "")
	want(t, status, a, 200, "") // needs no nod
}

// TestSecretsInBodies that are broken in every way get nowhere.
func TestSecretsInBodies(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	const secret = "correct-horse-77"
	ann := i.token("ann")
	for _, path := range []string{"/operator/accounts", "/tools/nodkeep_account_add", "/tools/nodkeep_me_password", "/tools/nodkeep_me_delete", "/tools/nodkeep_acount_add"} {
		for _, body := range []string{
			`["` + secret + `"]`, `"` + secret + `"`, `{"password":"` + secret + `"`, `{"password":"` + secret + `"}`, `{"handle":"x","pass":"` + secret + `"}`,
			`{"handle":"fay","password":"` + secret + strings.Repeat("y", 2<<20) + `"}`, `{"handle":{"password":"` + secret + `"}}`, `password=` + secret,
			`{"password":"x","new":"` + secret + strings.Repeat("z", 80) + `"}`,
		} {
			for _, more := range [][]string{nil, {"Content-Type", "text/plain"}, {digestHeader, "none"}} {
				status, a := i.web("POST", prefix+path, ann, body, more...)
				if status < 400 || status >= 500 || strings.Contains(a.String(), secret) {
					t.Errorf("%s %.60s: %d %.300s", path, body, status, a)
				}
			}
		}
	}
	status, a := i.web("POST", prefix+"/operator/accounts", ann, `{"handle":"fay","password":"`+secret+`"}`)
	want(t, status, a, 200, "")
	if strings.Contains(a.String(), secret) {
		t.Errorf("%s", a)
	}
	cols, err := i.pb.FindAllCollections()
	if err != nil {
		t.Fatal(err)
	}
	for _, col := range cols {
		if !col.IsView() && strings.Contains(i.text(col.Name), secret) {
			t.Errorf("it stands in %s", col.Name)
		}
	}
	var logs int
	if err := i.pb.AuxDB().NewQuery("SELECT count(*) FROM _logs WHERE message || data LIKE '%" + secret + "%'").Row(&logs); err != nil || logs != 0 {
		t.Errorf("it stands in %d lines of the log, %v", logs, err)
	}
	if strings.Contains(i.out.String()+i.err.String(), secret) {
		t.Error("it was printed")
	}
}

// TestARefusalIsTold to operators, without a name, however it was done.
func TestARefusalIsTold(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	i.makeOperator("bob")
	ann, root := i.token("ann"), i.superuser()
	refuse := func(token string) {
		t.Helper()
		cy := i.newcomer(i.pb, "xochitl")
		path := prefix + "/operator/waiting/" + cy.Id + "/refuse"
		_, a := i.web("POST", path, token, "")
		status, a := i.web("POST", path, token, "", digestHeader, a.str("data", "digest"))
		want(t, status, a, 200, "")
	}
	refuse(ann)
	refuse(root)
	cy := i.newcomer(i.pb, "xochitl")
	r := httptest.NewRequest("DELETE", "/api/collections/users/records/"+cy.Id, nil)
	r.Header.Set("Authorization", root)
	w := httptest.NewRecorder()
	if i.handler.ServeHTTP(w, r); w.Code != http.StatusNoContent {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	status, a := i.web("GET", prefix+"/audit?limit=200", i.token("bob"), "")
	want(t, status, a, 200, "")
	if strings.Contains(a.String(), "xochitl") || strings.Contains(a.String(), cy.Id) {
		t.Errorf("it is told who it was: %s", a)
	}
	doors := map[string]int{}
	items, _ := a.at("items").([]any)
	for _, it := range items {
		e := answer{it}
		if e.str("reason") != "" {
			doors[e.str("tool")+" "+e.str("actor", "door")]++
		}
	}
	if len(doors) != 3 || doors["nodkeep_account_refuse web"] != 1 || doors["nodkeep_account_refuse dashboard"] != 1 || doors[" dashboard"] != 1 {
		t.Errorf("%v", doors)
	}
	for _, name := range []string{"users", "nodkeep_audit", "nodkeep_steps", "nodkeep_passes", "nodkeep_links"} {
		if strings.Contains(i.text(name), "xochitl") {
			t.Errorf("the handle stands in %s", name)
		}
	}
	out, _, err := i.command(t.Context(), "audit", "list", "--as", "bob", "--dir", filepath.Clean(i.dir))
	if err != nil || !strings.Contains(out, "nodkeep_account_refuse") || strings.Contains(out, "xochitl") {
		t.Errorf("%v %s", err, out)
	}
}

// TestMembersAreNamedInTheBody where a role or a link is made, by handle or id.
func TestMembersAreNamedInTheBody(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	ann, bob := i.token("ann"), i.user("bob")
	for _, name := range []string{"bob", bob.Id} {
		status, a := i.web("POST", prefix+"/operator/resets", ann, `{"account":"`+name+`"}`)
		want(t, status, a, 200, "")
		status, a = i.web("POST", prefix+"/operator/operators", ann, `{"account":"`+name+`"}`)
		want(t, status, a, 200, "")
		if a.str("output", "id") != bob.Id || !i.user("bob").GetBool("operator") {
			t.Errorf("%s", a)
		}
		status, a = i.web("POST", prefix+"/operator/operators/"+bob.Id+"/remove", ann, "")
		want(t, status, a, 200, "")
	}
	_, l := i.web("GET", prefix+"/operator/resets", ann, "")
	if l.len("items") != 2 || l.str("items", "0", "handle") != "bob" {
		t.Errorf("%s", l)
	}
	for _, path := range []string{"/operator/operators", "/operator/resets"} {
		for body, kind := range map[string]tools.Kind{
			"": tools.Invalid, `{}`: tools.Invalid, `{"account":5}`: tools.Invalid, `{"account":null}`: tools.Invalid,
			`{"handle":"bob"}`: tools.Invalid, `{"account":"nobody"}`: tools.NotFound, `{"account":""}`: tools.NotFound,
		} {
			status, a := i.web("POST", prefix+path, ann, body, "Accept-Language", "de")
			want(t, status, a, map[tools.Kind]int{tools.Invalid: 400, tools.NotFound: 404}[kind], kind)
			if strings.Contains(a.str("message"), "(") { // English, of a schema
				t.Errorf("%s %s: %s", path, body, a.str("message"))
			}
		}
	}
}
