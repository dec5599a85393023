// The pages of the front end itself: where, how they are called, and the module that draws them.
// nav is how one stands in the navigation: label is a key of the catalogue, narrow puts it on the
// bar of phones, where four fit; open() is what a plain click does
// instead of going there. A page is a module with a default component: ({params, query}).
export const all = [
	{ path: "/", title: "web.home", load: () => import("./pages/home.js"), nav: { label: "web.home", icon: "home", order: 1, narrow: true } },
	{ path: "/ask", title: "web.ask", load: () => import("./pages/ask.js"), nav: { label: "web.ask", icon: "ask", order: 20, narrow: true, open: () => import("./parts/ask_door.js").then((m) => m.door()) } },
	{ path: "/inbox", title: "web.inbox", load: () => import("./pages/inbox.js"), nav: { label: "web.inbox", icon: "inbox", order: 30, narrow: true } },
	{ path: "/inbox/{id}", title: "web.inbox", load: () => import("./pages/inbox.js") },
	{ path: "/connect", title: "web.connect", load: () => import("./pages/connect.js"), nav: { label: "web.connect", icon: "connect", order: 50 } },
	{ path: "/usage", title: "web.usage", load: () => import("./pages/usage.js"), nav: { label: "web.usage", icon: "chart", order: 55 } },
	{ path: "/operator/assistants", title: "web.assistants", operator: true, load: () => import("./pages/operator/assistants.js") },
	{ path: "/operator/grants", title: "web.access", operator: true, load: () => import("./pages/operator/grants.js") },
	{ path: "/operator/figures", title: "web.figures", operator: true, load: () => import("./pages/operator/figures.js") },
	{ path: "/activity", title: "web.activity", load: () => import("./pages/activity.js"), nav: { label: "web.activity", icon: "activity", order: 40 } },
	{ path: "/activity/{id}", title: "web.activity", load: () => import("./pages/activity_entry.js") },
	{ path: "/settings", title: "web.settings", load: () => import("./pages/settings.js"), nav: { label: "web.settings", icon: "settings", order: 90 } },
	{ path: "/tools", title: "web.tools", load: () => import("./pages/tools.js") },
	{ path: "/tools/{plugin}", title: "web.tools", load: () => import("./pages/tools.js") },
	{ path: "/tool/{name}", title: "web.tools", load: () => import("./pages/tool.js") },
	{ path: "/more", title: "web.nav.more", load: () => import("./pages/more.js") },
	{ path: "/operator", operator: true, title: "web.operator", load: () => import("./pages/operator/overview.js"), nav: { label: "web.operator", icon: "operator", order: 60 } },
	{ path: "/operator/waiting", operator: true, title: "web.operator.waiting", load: () => import("./pages/operator/waiting.js") },
	{ path: "/operator/accounts", operator: true, title: "web.operator.accounts", load: () => import("./pages/operator/accounts.js") },
	{ path: "/operator/operators", operator: true, title: "web.operator.operators", load: () => import("./pages/operator/operators.js") },
	{ path: "/operator/invites", operator: true, title: "web.operator.invites", load: () => import("./pages/operator/invites.js") },
	{ path: "/operator/resets", operator: true, title: "web.operator.resets", load: () => import("./pages/operator/resets.js") },
	{ path: "/operator/settings", operator: true, title: "web.operator.settings", load: () => import("./pages/operator/settings.js") },
	{ path: "/operator/health", operator: true, title: "web.operator.health", load: () => import("./pages/operator/health.js") },
	{ path: "/operator/requests", operator: true, title: "web.operator.requests", load: () => import("./pages/operator/requests.js") },
]
