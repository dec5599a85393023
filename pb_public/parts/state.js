// What a page shows before there is something, when there is nothing, and when it failed.
import { html } from "../lib/html.js"
import { ago, t } from "../lib/i18n.js"

/** Why something failed, in the server's words, and the way to try again. */
export function Trouble({ problem, retry }) {
	return html`<div class="note bad" role="alert">
		<p>${because(problem)}</p>
		${retry && html`<button onClick=${retry}>${t("web.retry")}</button>`}
	</div>`
}

/** A problem in one sentence. */
export function because(problem) {
	if (problem.kind === "offline") return t("web.offline.need")
	if (problem.kind && problem.message !== problem.kind) return problem.message
	return problem.kind === "limit" ? t("limit.attempts", Math.ceil(problem.retry / 60) || 1) : t("web.trouble")
}

/** Shows what useData gives: waiting, trouble, or children(data). */
export function Loaded({ of, children }) {
	if (of.data === undefined) return of.problem ? html`<${Trouble} problem=${of.problem} retry=${of.reload} />` : html`<p class="empty" aria-busy="true">${t("web.loading")}</p>`
	return html`
		${of.old && html`<p class="note warn">${t("web.offline.old", ago(of.old))}</p>`}
		${of.problem && html`<${Trouble} problem=${of.problem} retry=${of.reload} />`}
		${children(of.data)}
	`
}
