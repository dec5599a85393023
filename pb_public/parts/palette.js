// Everything that can be done, by its name: tools, pages, and what plugins add.
import { html, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "../lib/html.js"
import { css } from "../lib/css.js"
import { list, signOut } from "../lib/api.js"
import { go } from "../lib/router.js"
import { ask, entries, me, plugins } from "../lib/store.js"
import { pluginOf, tools } from "../lib/registry.js"
import { lang, t } from "../lib/i18n.js"
import { useLeft } from "./dialog.js"
import { Icon } from "./icon.js"
await css("palette")

const most = 60 // choices at once; who wants others types

/** Gives done the command that was chosen: {run}. openKeys shows the keys that there are. */
export function Palette({ done, openKeys }) {
	const id = useId()
	const box = useRef()
	const left = useRef(false)
	const [text, type] = useState("")
	const [at, move] = useState(0)
	const [known, know] = useState([])
	const [asks, may] = useState(false)
	const found = useMemo(() => search([...commands(openKeys), ...known], text, asks), [text, known, asks])

	useLeft(() => done())
	useLayoutEffect(() => {
		const before = document.activeElement, own = box.current
		own.showModal()
		return () => left.current || (own.close(), before?.isConnected && before.focus())
	}, [])
	useEffect(() => {
		let here = true
		tools().then((all) => here && know(all.map(ofTool)), () => {})
		list("/me/assistants").then((page) => here && may(page.items.some((a) => a.granted)), () => {})
		return () => (here = false)
	}, [])
	useEffect(() => void box.current.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [at, found])

	// What was chosen says where the focus goes: the rest of the same Enter must not press what had it before.
	function choose(c) {
		left.current = true
		done(c)
	}
	function key(e) {
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }
		if (e.key === "Enter" && !e.isComposing && found[at]) choose(found[at])
		else if (steps[e.key] && found.length) {
			const to = at + steps[e.key]
			move(Math.abs(steps[e.key]) === 1 ? (to + found.length) % found.length : Math.max(0, Math.min(found.length - 1, to)))
		} else return
		e.preventDefault()
	}

	return html`<dialog ref=${box} class="sheet palette" aria-label=${t("web.palette")} onCancel=${(e) => (e.preventDefault(), done())} onClose=${() => done()} onClick=${(e) => e.target === box.current && done()}>
		<div class="find"><${Icon} name="search" />
			<input role="combobox" aria-expanded="true" aria-autocomplete="list" aria-controls=${id} aria-activedescendant=${found[at] ? id + at : undefined} aria-label=${t("web.palette")}
				placeholder=${t("web.palette.type")} autocomplete="off" autocapitalize="none" spellcheck=${false} enterkeyhint="go" autofocus value=${text} onInput=${(e) => (type(e.target.value), move(0))} onKeyDown=${key} />
			<button class="quiet" onClick=${() => done()}><${Icon} name="close" /><span class="unseen">${t("web.close")}</span></button>
		</div>
		<ul role="listbox" id=${id} aria-label=${t("web.palette")}>
			${found.map((c, i) => html`<li role="option" id=${id + i} key=${c.id} aria-selected=${i === at} onClick=${() => choose(c)} onMouseMove=${() => i !== at && move(i)}>
				<${Icon} name=${c.icon} /><span class="what"><span dir="auto">${c.label}</span>${c.help && lang.value === "en" && html`<span class="help">${c.help}</span>`}</span><span class="kind">${c.kind}</span>
			</li>`)}
		</ul>
		<p class="unseen" role="status">${t("web.palette.found", found.length)}</p>
		${!found.length && html`<p class="empty">${t("web.palette.none")}</p>`}
	</dialog>`
}

const ofTool = (tool) => ({
	id: "tool " + tool.name, label: tool.title, help: tool.help, also: tool.name, icon: tool.effect === "read" ? "search" : "next", kind: t("web.palette." + (tool.effect === "read" ? "read" : "do")),
	rank: pluginOf(tool) === "nodkeep" ? 2 : tool.core ? 0 : 1, run: () => go("/tool/" + tool.name),
})

function commands(openKeys) {
	const pages = entries.value.map((p) => ({ id: "page " + p.path, label: t(p.nav.label), icon: p.nav.icon, kind: t("web.palette.page"), rank: -1, run: () => go(p.path) }))
	const own = plugins.value.flatMap((p) => (p.commands || []).map((c) => ({ id: p.name + " " + c.label, label: t(c.label), icon: c.icon || "next", kind: t("web.palette.do"), rank: -1, run: c.run })))
	return [
		...pages,
		...own.filter((c) => !c.operator || me.value.operator),
		{ id: "keys", label: t("web.keys"), icon: "more", kind: t("web.palette.do"), rank: 3, run: openKeys },
		{ id: "out", label: t("web.signout"), icon: "close", kind: t("web.palette.do"), rank: 3, run: () => signOut() },
	]
}

const plain = (s) => s.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")

// All words must be found: in what it is called before what it is called by programs, before what is said of it.
function search(all, text, asks) {
	const wanted = plain(text).split(/\s+/).filter(Boolean)
	const score = (c) => {
		const label = plain(c.label), also = plain(c.also || ""), help = plain(c.help || "")
		let sum = c.rank / 10
		for (const w of wanted) {
			if (label.startsWith(w)) sum += 0
			else if (label.includes(" " + w)) sum += 1
			else if (label.includes(w) || also.includes(w)) sum += 2
			else if (help.includes(w)) sum += 4
			else return Infinity
		}
		return sum
	}
	const found = all.map((c) => [score(c), c]).filter(([s]) => s < Infinity).sort((a, b) => a[0] - b[0] || a[1].label.localeCompare(b[1].label)).slice(0, most).map(([, c]) => c)
	const words = text.trim()
	const called = found.length > 0 && plain(found[0].label).startsWith(plain(words)) // nobody who names a command asks a model by its Enter
	if (asks && words) found.splice(called ? 1 : 0, 0, { id: "ask", label: t("web.palette.ask", words), icon: "ask", kind: "", run: () => ask(words, { send: true }) })
	return found
}
