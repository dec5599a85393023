package household

import (
	"encoding/json/v2"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/pocketbase/pocketbase/apis"
)

func BenchmarkScratch(b *testing.B) {
	a := newHome(b)
	cat, _ := apply[Category](b, a, "ann", "household_category_add", args{"name": "Music"})
	for i := range 60 {
		id := add(b, a, "ann", args{"name": fmt.Sprintf("Sub %02d", i), "tags": []string{"x", "y"}, "category": cat.ID, "notes": "some notes here"}).ID
		if i%5 == 0 {
			apply[Updated](b, a, "ann", "household_subscription_update", args{"id": id, "amount": "17.99", "price_from": "2025-06-15"})
		}
	}
	r, err := apis.NewRouter(a.App)
	if err != nil {
		b.Fatal(err)
	}
	mux, err := r.BuildMux()
	if err != nil {
		b.Fatal(err)
	}
	tok, _ := a.Member("ann").NewAuthToken()
	who := a.As("ann")
	b.Run("pb", func(b *testing.B) {
		for b.Loop() {
			req := httptest.NewRequest("GET", "/api/collections/household_subscriptions/records?perPage=50&sort=name", nil)
			req.Header.Set("Authorization", tok)
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, req)
			if w.Code != http.StatusOK {
				b.Fatal(w.Body)
			}
		}
	})
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			out, err := a.Read(who, "household_subscription_list", nil)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := json.Marshal(out); err != nil {
				b.Fatal(err)
			}
		}
	})
	id := add(b, a, "ann", args{"name": "Patch"}).ID
	n := 0
	b.Run("apply", func(b *testing.B) {
		for b.Loop() {
			n++
			if _, err := a.Apply(who, "household_subscription_update", args{"id": id, "notes": fmt.Sprint(n)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("preview", func(b *testing.B) {
		for b.Loop() {
			n++
			if _, err := a.Preview(who, "household_subscription_update", args{"id": id, "notes": fmt.Sprint(n)}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
