// The household's pages for the web front end.
const collections = [
	"household_subscriptions", "household_charges", "household_prices", "household_pauses", "household_shares",
	"household_categories", "household_payment_methods", "household_settings", "household_reminders", "household_rates",
]

// This module is there from the beginning and imports nothing.
const go = (path) => (location.hash = path)

export default {
	collections,
	home: () => import("./home.js"),
	asks: ["household.web.ask.pay", "household.web.ask.due", "household.web.ask.save"],
	pages: [
		{ path: "/subscriptions", title: "household.web.subscriptions", load: () => import("./subscriptions.js"), nav: { label: "household.web.subscriptions", icon: "list", order: 10, narrow: true } },
		{ path: "/import", title: "household.web.import", load: () => import("./import.js"), nav: { label: "household.web.import", icon: "import", order: 20 } },
		{ path: "/subscriptions/add", title: "household.title.subscription_add", load: () => import("./add.js") },
		{ path: "/subscriptions/{id}", title: "household.title.subscription_get", load: () => import("./subscription.js") },
		{ path: "/subscriptions/{id}/edit", title: "household.title.subscription_update", load: () => import("./edit.js") },
		{ path: "/calendar", title: "household.web.calendar", load: () => import("./calendar.js"), nav: { label: "household.web.calendar", icon: "calendar", order: 11 } },
		{ path: "/spending", title: "household.web.spending", load: () => import("./spending.js"), nav: { label: "household.web.spending", icon: "coin", order: 12, within: ["/savings"] } },
		{ path: "/savings", title: "household.title.savings", load: () => import("./savings.js") },
		{ path: "/household/settings", title: "household.title.settings_get", load: () => import("./settings.js"), nav: { label: "household.web.household", icon: "people", order: 40, within: ["/household"] } },
	],
	commands: [
		{ label: "household.title.savings", icon: "chart", run: () => go("/savings") },
		{ label: "household.title.export", icon: "import", run: () => go("/household/settings?part=file") },
		{ label: "household.title.subscription_add", icon: "add", run: () => go("/subscriptions/add") },
		{ label: "household.web.trials", icon: "list", run: () => go("/subscriptions?status=trial") },
		{ label: "household.web.paused", icon: "list", run: () => go("/subscriptions?status=paused") },
		{ label: "household.web.private", icon: "lock", run: () => go("/subscriptions?private=yes") },
	],
}
