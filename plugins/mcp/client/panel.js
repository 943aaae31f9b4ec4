/** The screen of writes that agents propose. One file, without imports. */

const en = {
  title: "Writes of agents",
  why: "What agents want to change. It is written once you approve it, with your rights. After a day it is dropped.",
  none: "No write waits for you.",
  count: "{n|One write waits|{n} writes wait}",
  by: "{tool} by {agent}",
  approve: "Approve",
  reject: "Reject",
  approved: "The change was written.",
  rejected: "The change was rejected.",
  stale: "The content has changed since. Let the agent propose it again.",
  same: "This changes nothing.",
  diff: "Difference",
  of: "{action}: {tool} by {agent}",
  refresh: "Refresh",
};
const de = {
  title: "Änderungen von Agenten",
  why: "Was Agenten ändern möchten. Es wird geschrieben, sobald Sie es freigeben, mit Ihren Rechten. Nach einem Tag wird es verworfen.",
  none: "Keine Änderung wartet auf Sie.",
  count: "{n|Eine Änderung wartet|{n} Änderungen warten}",
  by: "{tool} von {agent}",
  approve: "Freigeben",
  reject: "Ablehnen",
  approved: "Die Änderung wurde geschrieben.",
  rejected: "Die Änderung wurde abgelehnt.",
  stale: "Der Inhalt hat sich seitdem geändert. Lassen Sie den Agenten es noch einmal vorschlagen.",
  same: "Das ändert nichts.",
  diff: "Unterschied",
  of: "{action}: {tool} von {agent}",
  refresh: "Aktualisieren",
};
const CSS = `.agent-write { margin-block: 1.25rem }
.agent-write h2 { font-size: 1rem; margin: 0 }
.agent-diff { overflow: auto; max-block-size: 24rem; margin-block: 0.5rem; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.4rem; font-size: 0.8125rem; line-height: 1.5 }
.agent-diff span { display: block; white-space: pre-wrap; overflow-wrap: anywhere; min-block-size: 1lh }
.agent-diff ins, .agent-diff del { display: block; white-space: pre-wrap; overflow-wrap: anywhere; text-decoration: none }
.agent-diff ins { color: var(--good, inherit) }
.agent-diff del { color: var(--bad, inherit) }`;
const NAMES = { "+": "ins", "-": "del" };

/** The API of the panel for extensions; the panel passes it when it starts this one. @type {import("../../panel/contract.js").PanelApi} */
let panel;
/** Looks up a text. */
let t;
const h = (...node) => panel.h(...node);

function Screen() {
  const writes = panel.useLoaded("/agent-writes");
  const decide = async (id, action, text) => {
    await panel.request(`/agent-writes/${id}/${action}`, { method: "POST", body: {} });
    panel.say(t(text));
    writes.reload();
  };
  return h("div", { class: "screen" }, [
    h("header", { class: "screen-head" }, [h("h1", null, t("title")), h("p", null, t("why"))]),
    h("div", { class: "row" }, [
      h("button", { type: "button", onClick: () => writes.reload() }, t("refresh")),
    ]),
    h(panel.Loading, { of: writes }, ({ items, total }) => [
      h("p", { class: "dim", role: "status" }, t(total === 0 ? "none" : "count", { n: total })),
      items.map((item) => h(Write, { key: item.id, item, decide })),
    ]),
  ]);
}

function Write({ item: { id, tool, agent, at, diff, isStale }, decide }) {
  const button = (action, done, more) => {
    const label = t("of", { action: t(action), tool, agent });
    const onClick = () => decide(id, action, done);
    return h("button", { type: "button", ...more, onClick, "aria-label": label }, t(action));
  };
  return h("section", { class: "agent-write", "aria-labelledby": `write-${id}` }, [
    h("h2", { id: `write-${id}` }, [
      t("by", { tool, agent }),
      h("span", { class: "dim" }, ` ${panel.moment(at)}`),
    ]),
    isStale && h("p", { class: "badge warn" }, t("stale")),
    diff === "" ? h("p", { class: "dim" }, t("same")) : h(Diff, { diff }),
    h("div", { class: "row" }, [
      !isStale && button("approve", "approved", { class: "primary" }),
      button("reject", "rejected"),
    ]),
  ]);
}

function Diff({ diff }) {
  const lines = diff.replace(/\n$/, "").split("\n");
  return h(
    "pre",
    { class: "agent-diff", tabIndex: 0, role: "region", "aria-label": t("diff") },
    lines.map((line, at) => {
      const isName = line.startsWith("+++ ") || line.startsWith("--- ");
      return h((!isName && NAMES[line[0]]) || "span", { key: at }, line);
    }),
  );
}

/** @type {import("../../panel/contract.js").PanelModule} */
export default (given) => {
  panel = given;
  t = panel.texts({ en, de });
  panel.style(CSS);
  return { screens: [{ label: t("title"), permission: "pages.update", view: Screen }] };
};
