// Who asks: the agent, through what, when, and what it may do alone.
import { html } from "../lib/html.js"
import { ago, moment, t } from "../lib/i18n.js"
import { now } from "../lib/clock.js"
import { Icon } from "./icon.js"

/** The name of an agent, or that it is one. */
export const agentName = (p) => p.actor.agent_name || t("nod.someone")

/** The first line of a card. */
export function Asker({ p }) {
	const door = ["mcp", "assistant", "telegram", "slack", "cli", "web"].includes(p.actor.door) ? t("web.card.door." + p.actor.door) : p.actor.door
	return html`<div class="asker">
		<span class="face" aria-hidden="true"><${Icon} name=${p.actor.door === "assistant" ? "ask" : "connect"} /></span>
		<div>
			<p><b dir="auto">${agentName(p)}</b> <span class="soft small">${[door, p.actor.model].filter(Boolean).join(" · ")}</span></p>
			<p class="soft small"><time datetime=${p.created} title=${moment(p.created)}>${ago(p.created, now())}</time>${p.mode && html` · ${t("web.card.mode." + p.mode)}`}</p>
		</div>
	</div>`
}
