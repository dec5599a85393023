// Our own signs, drawn on 24 by 24. A sign never stands alone: words are beside it, or read out.
import { html } from "../lib/html.js"

const paths = {
	home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
	list: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
	calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
	chart: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
	ask: "M4 5h16v11H9l-5 4z",
	inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5",
	import: "M12 4v10M8 10l4 4 4-4M4 18v2h16v-2",
	talks: "M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2",
	activity: "M3 12h4l3-7 4 14 3-7h4",
	connect: "M9 7V3M15 7V3M7 7h10v4a5 5 0 0 1-10 0zM12 16v5",
	settings: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1",
	operator: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
	more: "M4 7h16M4 12h16M4 17h16",
	search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4 4",
	close: "M6 6l12 12M18 6L6 18",
	check: "M5 13l4 4L19 7",
	back: "M15 5l-7 7 7 7",
	next: "M9 5l7 7-7 7",
	add: "M12 5v14M5 12h14",
	undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
	stop: "M7 7h10v10H7z",
	copy: "M8 8h11v12H8zM5 16V4h11",
	warn: "M12 4l9 16H3zM12 10v4M12 17h.01",
	filter: "M4 6h16M7 12h10M10 18h4",
	person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 20c1-4 4-6 8-6s7 2 8 6",
	lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
	attach: "M20 11l-8 8a5 5 0 0 1-7-7l8-8a3.5 3.5 0 0 1 5 5l-8 8a2 2 0 0 1-3-3l7-7",
	wide: "M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7",
	send: "M4 12l16-8-6 16-3-7z",
}

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${paths[name] || ""} /></svg>`
