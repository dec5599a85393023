// The talk with all the room there is: the cards stand beside the words.
import { html, useEffect } from "../lib/html.js"
import { t } from "../lib/i18n.js"
import { Talk, TalkActs } from "../parts/talk.js"

export default function Ask() {
	useEffect(() => {
		document.documentElement.classList.add("talking")
		return () => document.documentElement.classList.remove("talking")
	}, [])
	return html`<header><h1>${t("web.ask")}</h1><div class="acts"><${TalkActs} /></div></header><h2 class="unseen">${t("web.ask.talk")}</h2><${Talk} focus />`
}
