/** The screen of comments in the panel. One file, without imports. */

const TEXTS = {
  en: {
    title: "Comments",
    why: "Comments of visitors. Only approved ones are public.",
    status: "Status",
    all: "All",
    pending: "Pending",
    approved: "Approved",
    spam: "Spam",
    trash: "Trash",
    none: "There are no comments.",
    count: "{n} comments",
    comment: "Comment",
    page: "Page",
    when: "When",
    actions: "Actions",
    approve: "Approve",
    toSpam: "Spam",
    toTrash: "Trash",
    delete: "Delete for good",
    done: "The comment was changed.",
    deleted: "The comment was deleted.",
    loading: "Loading …",
    failed: "This could not be loaded: ",
    previous: "Newer",
    next: "Older",
    range: "{from} to {to} of {total}",
    of: "{action}: comment of {name}",
  },
  de: {
    title: "Kommentare",
    why: "Kommentare von Besuchern. Nur freigegebene sind öffentlich.",
    status: "Status",
    all: "Alle",
    pending: "Wartet",
    approved: "Freigegeben",
    spam: "Spam",
    trash: "Papierkorb",
    none: "Es gibt keine Kommentare.",
    count: "{n} Kommentare",
    comment: "Kommentar",
    page: "Seite",
    when: "Wann",
    actions: "Aktionen",
    approve: "Freigeben",
    toSpam: "Spam",
    toTrash: "Papierkorb",
    delete: "Endgültig löschen",
    done: "Der Kommentar wurde geändert.",
    deleted: "Der Kommentar wurde gelöscht.",
    loading: "Wird geladen …",
    failed: "Das konnte nicht geladen werden: ",
    previous: "Neuere",
    next: "Ältere",
    range: "{from} bis {to} von {total}",
    of: "{action}: Kommentar von {name}",
  },
};
const LIMIT = 50;
const STATES = ["pending", "approved", "spam", "trash"];
const BADGES = { pending: "warn", approved: "good", spam: "bad", trash: "bad" };

/** @type {import("../../panel/contract.js").PanelModule} */
export default (panel) => {
  const { h, hooks, request, navigate, say, language } = panel;
  const texts = TEXTS[language] ?? TEXTS.en;
  const t = (key, values = {}) =>
    texts[key].replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  const moment = (at) =>
    new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at);

  function Screen({ query }) {
    const status = query.get("status") ?? "pending";
    const offset = Number(query.get("offset") ?? 0) || 0;
    const [version, setVersion] = hooks.useState(0);
    const [state, setState] = hooks.useState({ key: "", result: null });
    const asked = new URLSearchParams({
      limit: LIMIT,
      offset,
      ...(status !== "all" && { status }),
    });
    const key = `${asked} ${version}`;
    hooks.useEffect(() => {
      let isCurrent = true;
      const show = (result) => isCurrent && setState({ key, result });
      request(`/comments?${asked}`).then(show, show);
      return () => {
        isCurrent = false;
      };
    }, [key]);
    const change = async (work, text) => {
      await work;
      say(t(text));
      setVersion(version + 1);
    };
    const move = (changes) =>
      navigate(`/plugins/comments?${new URLSearchParams({ status, ...changes })}`);
    return h("div", { class: "screen" }, [
      h("header", { class: "screen-head" }, [h("h1", null, t("title")), h("p", null, t("why"))]),
      h("div", { class: "row", role: "search" }, [
        h(
          "select",
          {
            "aria-label": t("status"),
            value: status,
            onChange: (event) => move({ status: event.currentTarget.value }),
          },
          [...STATES, "all"].map((one) => h("option", { key: one, value: one }, t(one))),
        ),
      ]),
      list(state.result, { change, move, offset }),
    ]);
  }

  function list(result, parts) {
    if (result === null) return h("p", { class: "waiting", role: "status" }, t("loading"));
    if (result instanceof Error)
      return h("p", { class: "notice bad", role: "alert" }, t("failed") + result.message);
    const { items, total } = result;
    const columns = [t("comment"), t("page"), t("actions")];
    return [
      h("p", { class: "dim", role: "status" }, total === 0 ? t("none") : t("count", { n: total })),
      items.length > 0 &&
        h(
          "div",
          { class: "table-wrap", tabIndex: 0, role: "region", "aria-label": t("title") },
          h("table", null, [
            h(
              "thead",
              null,
              h(
                "tr",
                null,
                columns.map((text) => h("th", { key: text, scope: "col" }, text)),
              ),
            ),
            h(
              "tbody",
              null,
              items.map((item) => row(item, parts)),
            ),
          ]),
        ),
      total > LIMIT && pager(total, parts),
    ];
  }

  function row(item, { change }) {
    const { id, page, at, status, name, email, text } = item;
    const set = (to) =>
      change(
        request("/comments/status", { method: "POST", body: { page, id, status: to } }),
        "done",
      );
    const remove = () =>
      change(
        request(`/comments/${id}?${new URLSearchParams({ page })}`, { method: "DELETE" }),
        "deleted",
      );
    const button = (action, onClick) =>
      h(
        "button",
        { type: "button", onClick, "aria-label": t("of", { action: t(action), name }) },
        t(action),
      );
    return h("tr", { key: id }, [
      h("td", { class: "break comment-text" }, [
        h("p", null, [
          h("strong", null, name),
          email !== "" && ` · ${email}`,
          " ",
          h("span", { class: `badge ${BADGES[status]}` }, t(status)),
          h("span", { class: "dim" }, ` ${moment(at)}`),
        ]),
        h("p", null, text),
      ]),
      h("td", { class: "break" }, page),
      h(
        "td",
        null,
        h("div", { class: "row" }, [
          status !== "approved" && button("approve", () => set("approved")),
          status !== "spam" && button("toSpam", () => set("spam")),
          status === "trash" ? button("delete", remove) : button("toTrash", () => set("trash")),
        ]),
      ),
    ]);
  }

  function pager(total, { offset, move }) {
    const to = Math.min(offset + LIMIT, total);
    const range = t("range", { from: offset + 1, to, total });
    const button = (label, disabled, next) =>
      h("button", { type: "button", disabled, onClick: () => move({ offset: next }) }, label);
    return h("nav", { class: "pager", "aria-label": range }, [
      button(t("previous"), offset === 0, Math.max(0, offset - LIMIT)),
      h("span", null, range),
      button(t("next"), to >= total, offset + LIMIT),
    ]);
  }

  panel.style(".comment-text p { margin: 0.2rem 0; white-space: pre-wrap }");
  return { screens: [{ label: t("title"), permission: "comments.moderate", view: Screen }] };
};
