// What the operators' pages are made of: a head with the way back, calm lists, rows.
import { html, useEffect, useState } from "../lib/html.js"
import { list } from "../lib/api.js"
import { css } from "../lib/css.js"
import { href } from "../lib/router.js"
import { t } from "../lib/i18n.js"
import { pages } from "../lib/store.js"
import { Icon } from "./icon.js"
import { Endless } from "./list.js"

await css("operator")

/** The page of a path, where there is one. */
export const pageAt = (path) => pages.value.find((p) => p.path === path)

/** The title of a page for operators; children stand beside it, about says below in a sentence what it is for. */
export function OpHead({ title, about, back = "/operator", children }) {
	return html`<header class="op-head">
			<a class="op-back" href=${href(back)}><${Icon} name="back" /><span>${t(back === "/operator" ? "web.operator" : "web.back")}</span></a>
			<h1>${title}</h1>
			${children && html`<div class="acts">${children}</div>`}
		</header>
		${about && html`<p class="soft op-about">${about}</p>`}`
}

/**
 * A list of an endpoint that answers {items, next}, 50 at a time. search is the label of a field that
 * asks by the beginning of a handle; turn is any value: when it becomes another, what is shown is asked for again.
 */
export function OpList({ path, query = {}, row, empty, label, search, watch = [], turn, plain = false }) {
	const [typed, type] = useState("")
	const [handle, ask] = useState("")
	useEffect(() => {
		const timer = setTimeout(() => ask(typed.trim()), 250)
		return () => clearTimeout(timer)
	}, [typed])
	const wish = { limit: 50, ...query, ...(search && handle ? { handle } : {}) }
	return html`
		${search && html`<label class="op-search"><span class="unseen">${search}</span><${Icon} name="search" /><input type="search" placeholder=${search} value=${typed} autocapitalize="none" autocomplete="off" spellcheck=${false} onInput=${(e) => type(e.target.value)} /></label>`}
		<section class=${plain ? "op-list" : "panel op-list"}>
			<${Endless} label=${label} row=${row} watch=${watch} turn=${turn} deps=${[path, JSON.stringify(wish)]}
				empty=${handle ? t("web.operator.none", handle) : empty} load=${(cursor, o) => list(path, { ...wish, cursor }, o)} />
		</section>`
}

/**
 * One row: name in front, chips beside it, about softly below, children (what can be done) at the end.
 * With press the whole row is a button that opens more, with to it is a link.
 */
export function OpRow({ name, chips, about, children, press, to }) {
	const inside = html`<span class="op-words">
			<span class="op-name"><b dir="auto">${name}</b>${chips}</span>
			${about && html`<span class="soft small op-line">${about}</span>`}
		</span>
		${children && html`<span class="acts">${children}</span>`}
		${(press || to) && html`<${Icon} name="next" />`}`
	if (to) return html`<a class="op-row op-press" href=${to}>${inside}</a>`
	return press ? html`<button class="op-row op-press" onClick=${press}>${inside}</button>` : html`<div class="op-row">${inside}</div>`
}

/** A word in a coloured chip: kind is "", good, warn or bad. */
export const Chip = ({ kind = "", children }) => html`<span class=${"chip " + kind}>${children}</span>`
