// One tool: its form, and what it answered. A plugin without pages is used by this.
import { html, useEffect, useRef, useState } from "../lib/html.js"
import { css } from "../lib/css.js"
import { post } from "../lib/api.js"
import { useData } from "../lib/data.js"
import { href } from "../lib/router.js"
import { argsOf, fieldOf } from "../lib/schema.js"
import { formOf, pluginOf } from "../lib/registry.js"
import { lang, t } from "../lib/i18n.js"
import { act } from "../parts/act.js"
import { Icon } from "../parts/icon.js"
import { Output } from "../parts/output.js"
import { because, Loaded } from "../parts/state.js"
import { Fields } from "../parts/toolform.js"
await css("tool")

export default function Page({ params, query }) {
	const tool = useData(() => formOf(params.name), [params.name, lang.value])
	if (tool.problem?.kind === "not_found") return html`<header><h1>${t("web.nowhere")}</h1></header><p>${t("web.tool.unknown")}</p>`
	return html`<${Loaded} of=${tool}>${(tool) => html`<${Tool} key=${tool.name} tool=${tool} given=${query} />`}<//>`
}

function Tool({ tool, given }) {
	const own = Object.keys(tool.input.properties || {})
	const [typed, type] = useState(() => Object.fromEntries(Object.entries(given).filter(([k]) => own.includes(k))))
	const [state, set] = useState({})
	const result = useRef()
	const about = tool.about || (lang.value === "en" ? tool.help : "") // that is for models
	const reads = tool.effect === "read"
	const fields = own.filter((n) => n !== "cursor")

	useEffect(() => {
		document.title = tool.title + " · Nodkeep"
		if (reads && !tool.input.required?.length) run()
	}, [])

	async function run(e, cursor) {
		e?.preventDefault?.()
		set((s) => ({ ...s, busy: true, problem: null, fault: null }))
		try {
			const args = await argsOf(tool.input, typed)
			if (cursor) args.cursor = cursor
			const answer = reads ? await post("/tools/" + tool.name, args) : await act({ tool: tool.name, args })
			if (!answer) return set((s) => ({ ...s, busy: false }))
			set((s) => ({ output: cursor ? { ...answer.output, items: [...s.output.items, ...answer.output.items] } : answer.output }))
			if (!reads) type({})
			if (e) requestAnimationFrame(() => result.current?.scrollIntoView({ block: "nearest" }))
		} catch (problem) {
			if (problem.field) return set((s) => ({ ...s, busy: false, fault: { name: problem.field, text: t("web.form.unread") } }))
			const name = problem.kind === "invalid" ? fieldOf(tool.input, problem.data?.text) : ""
			set((s) => ({ ...s, busy: false, problem: name ? null : problem, fault: name ? { name, text: because(problem) } : null }))
			if (name) requestAnimationFrame(() => document.querySelector(`#main [name="${CSS.escape(name)}"]`)?.focus())
		}
	}

	const next = state.output?.next && own.includes("cursor") && Array.isArray(state.output.items)
	return html`
		<header class="tool-head"><a class="tool-back" href=${href("/tools/" + pluginOf(tool))}><${Icon} name="back" />${t("web.tools")}</a><h1>${tool.title}</h1></header>
		${about && html`<p class="soft">${about}</p>`}
		<form class="panel tool" onSubmit=${run}>
			${fields.length > 0 && html`<${Fields} schema=${tool.input} value=${typed} set=${type} fault=${state.fault} without=${["cursor"]} />`}
			${state.problem && html`<p class="note bad" role="alert">${because(state.problem)}</p>`}
			<div class="acts end"><button class=${tool.effect === "destroy" ? "grave" : "main"} disabled=${state.busy}>${t(reads ? "web.tool.show" : tool.effect === "write" ? "web.tool.do" : "web.tool.look")}</button></div>
		</form>
		<div ref=${result} aria-live="polite" aria-busy=${!!state.busy}>${state.output && html`<section class="panel out"><h2>${t("web.tool.output")}</h2><${Output} value=${state.output} schema=${tool.output} more=${next && (() => run(null, state.output.next))} /></section>`}</div>
	`
}
