// The one page of ours in PocketBase's dashboard: who waits, to approve or to
// refuse. Everybody can read this file, so there is nothing secret in it. The
// interface of extensions is experimental: where it is another one than we
// know, the dashboard goes on without us.
try {
    const page = "#/nodkeep/waiting";
    const topic = "nodkeep/waiting";
    const lang = ["de", "es"].find((l) => navigator.language?.startsWith(l)) || "en";

    const known = typeof app.pb.send == "function" && typeof app.routes.superuserOnly == "function"
        && typeof app.modals.confirm == "function" && Array.isArray(app.store.headerLinks)
        && typeof store == "function" && typeof watch == "function" && typeof t.div == "function";
    if (!known) {
        throw new Error("another interface");
    }

    const state = store({ texts: {}, waiting: 0, items: null });

    const say = (key, arg) => (state.texts[key] || "").replace("{0}", arg);
    const send = (path, options = {}) =>
        app.pb.send("/api/nodkeep" + path, {
            requestKey: null, // not to be cancelled by another one
            ...options,
            headers: { "Accept-Language": lang, ...options.headers },
        });
    const tellError = (err) => app.checkApiError?.(err);

    const load = async () => {
        try {
            state.items = (await send("/operator/waiting?limit=200")).items;
        } catch (err) {
            tellError(err);
        }
    };
    const act = async (item, what, options = {}) => {
        try {
            return await send(`/operator/waiting/${encodeURIComponent(item.id)}/${what}`, { method: "POST", ...options });
        } catch (err) {
            tellError(err);
        }
    };
    const approve = async (item) => {
        await act(item, "approve");
        load();
    };
    // Refusing cannot be taken back: what the card shows is what is agreed to.
    const refuse = async (item) => {
        const preview = await act(item, "refuse", { query: { preview: 1 } });
        if (!preview) {
            return load();
        }
        app.modals.confirm(
            t.div(
                { className: "content txt-center" },
                t.h6({}, preview.card.title.text),
                ...preview.card.lines.map((line) => t.p({}, line.text)),
            ),
            async () => {
                await act(item, "refuse", { headers: { "X-Nodkeep-Digest": preview.digest } });
                load();
            },
            null,
            { yesButton: say("dashboard.refuse"), noButton: say("dashboard.cancel") },
        );
    };

    const button = (item, key, look, onclick) =>
        t.button(
            { type: "button", className: `btn sm ${look}`, onclick: () => onclick(item) },
            t.span({ className: "txt" }, () => say(key)),
        );
    const row = (item) =>
        t.div(
            // On a phone the buttons go below, and a handle is not broken up.
            { rid: item.id, className: "list-item", style: "flex-wrap: wrap" },
            t.div(
                { className: "content", style: "flex: 1 1 18rem; width: auto; flex-wrap: wrap; column-gap: 12px" },
                t.strong({ className: "nodkeep-handle" }, item.handle || item.email || item.id),
                t.div({ className: "txt-code nodkeep-words" }, (item.words || []).join(" ")),
                t.small(
                    { className: "txt-hint" },
                    () => say("dashboard.since", new Date(item.created).toLocaleString(lang)),
                    item.handle && item.email ? ` · ${item.email}` : "",
                ),
            ),
            button(item, "dashboard.approve", "success", approve),
            button(item, "dashboard.refuse", "secondary", refuse),
        );

    app.routes.superuserOnly(page, () => {
        let watched;
        return t.div(
            {
                className: "page",
                onmount: () => watched = watch(() => state.waiting, load),
                onunmount: () => watched?.unwatch(),
            },
            t.div(
                { className: "page-content full-height" },
                t.header(
                    { className: "page-header" },
                    t.nav({ className: "breadcrumbs" }, t.div({ className: "breadcrumb-item" }, () => say("dashboard.title", state.waiting))),
                ),
                t.div(
                    { className: "wrapper m-b-base" },
                    t.p({ className: "txt-hint" }, () => say("dashboard.ask")),
                    t.div(
                        { className: "list" },
                        t.div(
                            { className: "list-item", hidden: () => !state.items || state.items.length },
                            t.div({ className: "content txt-hint" }, () => say("dashboard.nobody")),
                        ),
                        () => (state.items || []).map(row),
                    ),
                ),
            ),
        );
    });

    // The link is there once its words are.
    const link = async () => {
        state.texts = await send("/texts/" + lang);
        app.store.headerLinks.push({ href: page, icon: "ri-user-add-line", label: "" });
        watch(() => {
            const ours = app.store.headerLinks.find((l) => l.href == page);
            ours.label = say("dashboard.title", state.waiting);
        });
    };
    link().catch(() => {});

    // The number as it is now, and again whenever it is another.
    let listening = false;
    app.pb.authStore.onChange(async () => {
        const signedIn = app.pb.authStore.isValid;
        if (signedIn == listening) {
            return;
        }
        listening = signedIn;
        try {
            if (!signedIn) {
                state.items = null;
                return await app.pb.realtime.unsubscribe(topic);
            }
            state.waiting = (await send("/operator/overview")).waiting;
            await app.pb.realtime.subscribe(topic, (message) => state.waiting = message.waiting);
        } catch {
            // the link and its page go without
        }
    }, true);
} catch {
    // see above
}
