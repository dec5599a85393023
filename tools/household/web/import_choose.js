// Which file: dropped, picked, or pasted.
import { html, Icon, t, useEffect, useId, useState } from "../../kit.js"

/** take(file) is told of it; text is what was typed so far. */
export function Choose({ text = "", put, take }) {
	const [over, drag] = useState(false)
	const id = useId()
	const typed = (s) => new File([s], t("household.web.import.pasted") + ".csv", { type: "text/csv" })

	useEffect(() => {
		const paste = (e) => {
			const file = e.clipboardData?.files[0]
			if (file) return e.preventDefault(), take(file)
			if (e.target.closest?.("input, textarea")) return
			const s = e.clipboardData?.getData("text")
			if (s?.includes("\n")) take(typed(s))
		}
		addEventListener("paste", paste)
		return () => removeEventListener("paste", paste)
	}, [])
	const drop = (e) => {
		e.preventDefault()
		drag(false)
		if (e.dataTransfer.files[0]) take(e.dataTransfer.files[0])
	}

	return html`<section class="stack">
		<div class=${"import-drop" + (over ? " over" : "")} onDragOver=${(e) => (e.preventDefault(), drag(true))} onDragLeave=${() => drag(false)} onDrop=${drop}>
			<${Icon} name="import" />
			<p><b>${t("household.web.import.drop")}</b></p>
			<label class="button main" for=${id}>${t("household.web.import.pick")}</label>
			<input class="unseen" id=${id} type="file" accept=".csv,.txt,.tsv,text/csv,text/plain,application/pdf,image/png,image/jpeg,image/gif,image/webp" onChange=${(e) => e.target.files[0] && take(e.target.files[0])} />
			<p class="soft small">${t("household.web.import.what")}</p>
		</div>
		<details class="panel" open=${!!text}>
			<summary>${t("household.web.import.paste")}</summary>
			<div class="stack">
				<div class="field"><label for=${id + "t"}>${t("household.web.import.paste.label")}</label>
					<textarea id=${id + "t"} rows="8" spellcheck=${false} value=${text} onInput=${(e) => put({ text: e.target.value })}></textarea></div>
				<div class="acts"><button class="main" disabled=${!text.trim()} onClick=${() => take(typed(text))}>${t("household.web.import.read")}</button></div>
			</div>
		</details>
		<p class="soft small">${t("household.web.import.stays")}</p>
	</section>`
}
