/** The screen of comments in the panel. One file, without imports. */

/** English and German. */
const TEXTS = {
  title: ["Comments", "Kommentare"],
  why: [
    "Comments of visitors. Only approved ones are public.",
    "Kommentare von Besuchern. Nur freigegebene sind öffentlich.",
  ],
  status: ["Status", "Status"],
  all: ["All", "Alle"],
  pending: ["Pending", "Wartet"],
  approved: ["Approved", "Freigegeben"],
  spam: ["Spam", "Spam"],
  trash: ["Trash", "Papierkorb"],
  none: ["There are no comments.", "Es gibt keine Kommentare."],
  count: ["{n} comments", "{n} Kommentare"],
  comment: ["Comment", "Kommentar"],
  page: ["Page", "Seite"],
  when: ["When", "Wann"],
  actions: ["Actions", "Aktionen"],
  approve: ["Approve", "Freigeben"],
  toSpam: ["Spam", "Spam"],
  toTrash: ["Trash", "Papierkorb"],
  delete: ["Delete for good", "Endgültig löschen"],
  done: ["The comment was changed.", "Der Kommentar wurde geändert."],
  deleted: ["The comment was deleted.", "Der Kommentar wurde gelöscht."],
  loading: ["Loading …", "Wird geladen …"],
  failed: ["This could not be loaded: ", "Das konnte nicht geladen werden: "],
  previous: ["Newer", "Neuere"],
  next: ["Older", "Ältere"],
  range: ["{from} to {to} of {total}", "{from} bis {to} von {total}"],
  of: ["{action}: comment of {name}", "{action}: Kommentar von {name}"],
};
const LIMIT = 50;
const STATES = ["pending", "approved", "spam", "trash"];
const BADGES = { pending: "warn", approved: "good", spam: "bad", trash: "bad" };

/** What the panel offers to extensions; set when it starts this one. @type {import("../../panel/contract.js").PanelApi} */
let panel;
const h = (...node) => panel.h(...node);
const t = (key, values = {}) =>
  TEXTS[key][panel.language === "de" ? 1 : 0].replaceAll(/\{(\w+)\}/g, (_, name) =>
    String(values[name] ?? ""),
  );
const moment = (at) =>
  new Intl.DateTimeFormat(panel.language, { dateStyle: "medium", timeStyle: "short" }).format(at);

function Screen({ query }) {
  const status = query.get("status") ?? "pending";
  const offset = Number(query.get("offset") ?? 0) || 0;
  const [version, setVersion] = panel.hooks.useState(0);
  const [state, setState] = panel.hooks.useState({ key: "", result: null });
  const asked = new URLSearchParams({
    limit: LIMIT,
    offset,
    ...(status !== "all" && { status }),
  });
  const key = `${asked} ${version}`;
  panel.hooks.useEffect(() => {
    let isCurrent = true;
    const show = (result) => isCurrent && setState({ key, result });
    panel.request(`/comments?${asked}`).then(show, show);
    return () => {
      isCurrent = false;
    };
  }, [key]);
  const change = async (work, text) => {
    await work;
    panel.say(t(text));
    setVersion(version + 1);
  };
  const move = (changes) =>
    panel.navigate(`/plugins/comments?${new URLSearchParams({ status, ...changes })}`);
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
      panel.request("/comments/status", { method: "POST", body: { page, id, status: to } }),
      "done",
    );
  const remove = () =>
    change(
      panel.request(`/comments/${id}?${new URLSearchParams({ page })}`, { method: "DELETE" }),
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

/** @type {import("../../panel/contract.js").PanelModule} */
export default (given) => {
  panel = given;
  panel.style(".comment-text p { margin: 0.2rem 0; white-space: pre-wrap }");
  return { screens: [{ label: t("title"), permission: "comments.moderate", view: Screen }] };
};
