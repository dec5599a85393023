package e2e

import "testing"

// both opens windows of both sizes, one after the other, each dark on the other's light.
func both(t *testing.T, i *instance, do func(t *testing.T, i *instance, w *tab)) {
	t.Helper()
	for name, l := range map[string]look{"desktop": desktop, "phone": {width: phone.width, height: phone.height, dark: true}} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			w := i.signIn("ana", l)
			w.until("the household's pages", `document.querySelector("nav.nav a[href='#/subscriptions']")`)
			do(t, i, w)
		})
	}
}

// inBoth looks at a page as it stands, and keeps it in both themes.
func (w *tab) inBoth(name string) {
	w.t.Helper()
	w.until("an end of all movement", `document.getAnimations().every((a) => a.playState !== "running")`)
	w.accessible()
	for _, theme := range []string{"light", "dark"} {
		w.run(`(document.documentElement.dataset.theme = ` + quote(theme) + `)`)
		w.keep(name + "_" + theme)
	}
	w.until("the page as wide as the window", `document.documentElement.scrollWidth <= innerWidth`)
}

// held is what a page would have given as a file.
func (w *tab) holdFiles() {
	w.t.Helper()
	w.run(`(window.held = [], URL.createObjectURL = (b) => (b.text().then((text) => window.held.push(text)), "blob:" + location.origin + "/none"), HTMLAnchorElement.prototype.click = function () { window.named = this.download })`)
}

func TestSpending(t *testing.T) {
	both(t, demo(t, "en"), func(t *testing.T, i *instance, w *tab) {
		w.visit("#/spending")
		w.see("Spending", " booked, ", "There is no exchange rate of USD")
		w.until("a chart for each currency", `document.querySelectorAll("canvas").length === 2`)
		w.inBoth("months")
		w.press("As a table")
		w.until("a sum for each month", `document.querySelectorAll("table tbody tr").length >= 2`)

		w.press("Feb 26") // what the bar is made of
		w.see("February 2026", "Netflix")
		w.inBoth("month")
		w.press("February 2026")
		w.miss("February 2026")

		w.press("Category")
		w.until("the category", `[...document.querySelectorAll(".ranks a")].some((a) => a.textContent.includes("Home"))`)
		w.click("Home", `[...document.querySelectorAll(".ranks a")].find((a) => a.textContent.includes("Home"))`)
		w.until("only what is in it", `document.querySelectorAll(".ranks li").length === 1`)
		w.until("a way to the subscription", `document.querySelector(".ranks a").hash.startsWith("#/subscriptions/")`)
		w.click("the end of it", `document.querySelector("p.picks a")`)
		w.until("all again", `!document.querySelector("p.picks")`)

		w.press("Member")
		w.see("Who bears what", "184.98")
		w.inBoth("member")
		for by, name := range map[string]string{"payment_method": "Payment method", "tag": "Tag", "subscription": "Subscription"} {
			w.visit("#/spending?by=" + by)
			w.until(name, `document.querySelector("[aria-current=true]")?.textContent === `+quote(name))
			w.until("rows", `document.querySelectorAll(".ranks li").length > 0`)
		}

		w.visit("#/spending?by=subscription")
		w.until("by subscription", `document.querySelector("[aria-current=true]")?.textContent === "Subscription"`)
		w.fill("Time", "own")
		w.fill("From", "2026-10-01")
		w.fill("Until", "2026-10-31")
		w.see("1 Oct 2026 to 31 Oct 2026")
		w.holdFiles()
		w.press("As CSV")
		w.until("the file", `window.held.length === 1 && window.named === "subscription-2026-10-01-2026-10-31.csv" && window.held[0].includes("Netflix,EUR,15.99,0.00,15.99")`)
		w.fill("Until", "2026-09-01")
		w.see("Try again") // the end before the beginning is said, and what was typed stays
		w.allow("400")
		w.fill("Until", "2026-10-31")
		w.see("15.99")
	})
}

func TestSpendingEmpty(t *testing.T) {
	i := serve(t)
	w := i.signIn("ana", phone)
	w.until("the household's pages", `document.querySelector("nav.nav a[href='#/subscriptions']")`)
	w.visit("#/spending")
	w.see("Nothing was spent in this time.")
	w.inBoth("empty")
	w.visit("#/calendar")
	w.see("There is nothing in this month.")
	w.inBoth("calendar")
	w.visit("#/savings")
	w.see("Nothing was found", "No price has changed.")
	w.inBoth("savings")

	// Yen have no cents, dinars three digits of them, and names no end.
	long := "🧑‍🧑‍🧒 <script>alert(1)</script> " + "اشتراك " + string(wide())
	i.tool("ana", "household_subscription_add", map[string]any{"name": long, "amount": "980", "currency": "JPY", "cycle": "P1M", "first_date": "2023-01-31", "tags": []string{"<b>x</b>", "y"}})
	i.tool("ana", "household_subscription_add", map[string]any{"name": "Dinar", "amount": "1.250", "currency": "KWD", "cycle": "P1Y", "first_date": "2025-02-01"})
	w.visit("#/spending?period=36")
	w.see("KWD")
	w.until("charts", `document.querySelectorAll("canvas").length === 2`)
	w.inBoth("yen")
	w.visit("#/spending?period=36&by=tag")
	w.see("What has several tags counts", "<b>x</b>")
	w.visit("#/spending?period=36&by=subscription")
	w.see("<script>")
	w.inBoth("long")
	w.visit("#/calendar?month=2025-02")
	w.see("Dinar", "1.250")
	w.inBoth("long_calendar")
}

func wide() []rune {
	r := make([]rune, 60)
	for i := range r {
		r[i] = 'W'
	}
	return r
}
