// The household's pages for the web front end.
const collections = ["household_subscriptions", "household_charges", "household_prices", "household_categories", "household_methods", "household_tags"]

export default {
	collections,
	home: () => import("./home.js"),
	pages: [
		{ path: "/subscriptions", title: "household.web.subscriptions", load: () => import("./subscriptions.js"), nav: { label: "household.web.subscriptions", icon: "list", order: 10, narrow: true } },
	],
}
