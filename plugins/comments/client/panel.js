/** The screen of comments in the panel. One file, without imports. */

const en = {
  title: "Comments",
  why: "Comments of visitors. Only approved ones are public.",
  status: "Status",
  all: "All",
  pending: "Pending",
  approved: "Approved",
  spam: "Spam",
  trash: "Trash",
  none: "There are no comments.",
  count: "{n|One comment|{n} comments}",
  comment: "Comment",
  page: "Page",
  actions: "Actions",
  approve: "Approve",
  toSpam: "Spam",
  toTrash: "Trash",
  delete: "Delete for good",
  done: "The comment was changed.",
  deleted: "The comment was deleted.",
  of: "{action}: comment of {name}",
};
const de = {
  title: "Kommentare",
  why: "Kommentare von Besuchern. Nur freigegebene sind öffentlich.",
  all: "Alle",
  pending: "Wartet",
  approved: "Freigegeben",
  trash: "Papierkorb",
  none: "Es gibt keine Kommentare.",
  count: "{n|Ein Kommentar|{n} Kommentare}",
  comment: "Kommentar",
  page: "Seite",
  actions: "Aktionen",
  approve: "Freigeben",
  toTrash: "Papierkorb",
  delete: "Endgültig löschen",
  done: "Der Kommentar wurde geändert.",
  deleted: "Der Kommentar wurde gelöscht.",
  of: "{action}: Kommentar von {name}",
};
const LIMIT = 50;
const STATES = ["pending", "approved", "spam", "trash"];
const BADGES = { pending: "warn", approved: "good", spam: "bad", trash: "bad" };
const CSS = ".comment-text p { margin: 0.2rem 0; white-space: pre-wrap }";

/** What the panel offers to extensions; set when it starts this one. @type {import("../../panel/contract.js").PanelApi} */
let panel;
/** Looks up a text. */
let t;
const h = (...node) => panel.h(...node);

function Screen({ query }) {
  const status = query.get("status") ?? "pending";
  const offset = Number(query.get("offset") ?? 0) || 0;
  const shown = new URLSearchParams({ limit: LIMIT, offset });
  if (status !== "all") shown.set("status", status);
  const comments = panel.useLoaded(`/comments?${shown}`);
  const change = async (work, text) => {
    await work;
    panel.say(t(text));
    comments.reload();
  };
  const move = (changes) =>
    panel.navigate(`/plugins/comments?${new URLSearchParams({ status, ...changes })}`);
  return h("div", { class: "screen" }, [
    h("header", { class: "screen-head" }, [h("h1", null, t("title")), h("p", null, t("why"))]),
    h("div", { class: "row", role: "search" }, h(Status, { status, move })),
    h(panel.Loading, { of: comments }, ({ items, total }) => [
      h("p", { class: "dim", role: "status" }, t(total === 0 ? "none" : "count", { n: total })),
      items.length > 0 && h(List, { items, change }),
      h(panel.Pager, { offset, limit: LIMIT, total, onMove: (next) => move({ offset: next }) }),
    ]),
  ]);
}

function Status({ status, move }) {
  const onChange = (event) => move({ status: event.currentTarget.value });
  return h(
    "select",
    { "aria-label": t("status"), value: status, onChange },
    [...STATES, "all"].map((one) => h("option", { key: one, value: one }, t(one))),
  );
}

function List({ items, change }) {
  const columns = ["comment", "page", "actions"].map((key) => ({ label: t(key) }));
  const rows = items.map((item) => h(Row, { key: item.id, item, change }));
  return h(panel.Table, { label: t("title"), columns, isStacked: true }, rows);
}

function Row({ item: { id, page, at, status, name, email, text }, change }) {
  const set = (to) => {
    const body = { page, id, status: to };
    return change(panel.request("/comments/status", { method: "POST", body }), "done");
  };
  const remove = () => {
    const path = `/comments/${id}?${new URLSearchParams({ page })}`;
    return change(panel.request(path, { method: "DELETE" }), "deleted");
  };
  const button = (action, onClick) => {
    const label = t("of", { action: t(action), name });
    return h("button", { type: "button", onClick, "aria-label": label }, t(action));
  };
  return h("tr", null, [
    h("td", { class: "break comment-text" }, [
      h("p", null, [
        h("strong", null, name),
        email !== "" && ` · ${email}`,
        " ",
        h("span", { class: `badge ${BADGES[status]}` }, t(status)),
        h("span", { class: "dim" }, ` ${panel.moment(at)}`),
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

/** @type {import("../../panel/contract.js").PanelModule} */
export default (given) => {
  panel = given;
  t = panel.texts({ en, de });
  panel.style(CSS);
  return { screens: [{ label: t("title"), permission: "comments.moderate", view: Screen }] };
};
