/** The screens of forms in the panel: forms, submissions, one submission. One file, without imports. */

const en = {
  title: "Form submissions",
  why: "What visitors have sent with the forms of the site.",
  noForms: "The site has no forms: add a file to the folder forms.",
  form: "Form",
  submissions: "Submissions",
  last: "Newest",
  never: "none",
  search: "Search in the values",
  spam: "Spam",
  all: "All",
  onlySpam: "Only spam",
  noSpam: "Without spam",
  which: "Show",
  when: "When",
  content: "Content",
  none: "There are no submissions.",
  count: "{n|One submission|{n} submissions}",
  csv: "Download as CSV",
  open: "Open the submission of {when}",
  back: "All submissions",
  forms: "All forms",
  page: "Page",
  account: "Account",
  delete: "Delete",
  sure: "Delete for good",
  cancel: "Cancel",
  deleted: "The submission was deleted.",
  yes: "yes",
  no: "no",
  retention: "Submissions are deleted after {n} days.",
};
const de = {
  title: "Formulareingänge",
  why: "Was Besucher mit den Formularen der Website gesendet haben.",
  noForms: "Die Website hat keine Formulare: Legen Sie eine Datei im Ordner forms an.",
  form: "Formular",
  submissions: "Eingänge",
  last: "Neuester",
  never: "keiner",
  search: "In den Werten suchen",
  all: "Alle",
  onlySpam: "Nur Spam",
  noSpam: "Ohne Spam",
  which: "Zeigen",
  when: "Wann",
  content: "Inhalt",
  none: "Es gibt keine Eingänge.",
  count: "{n|Ein Eingang|{n} Eingänge}",
  csv: "Als CSV herunterladen",
  open: "Eingang vom {when} öffnen",
  back: "Alle Eingänge",
  forms: "Alle Formulare",
  page: "Seite",
  account: "Konto",
  delete: "Löschen",
  sure: "Endgültig löschen",
  cancel: "Abbrechen",
  deleted: "Der Eingang wurde gelöscht.",
  yes: "ja",
  no: "nein",
  retention: "Eingänge werden nach {n} Tagen gelöscht.",
};
const LIMIT = 50;

/** What the panel offers to extensions; set when it starts this one. @type {import("../../panel/contract.js").PanelApi} */
let panel;
/** Looks up a text. */
let t;
const h = (...node) => panel.h(...node);
const base = "/plugins/forms";
const apiOf = (form) => `/forms/${encodeURIComponent(form)}/submissions`;
const addressOf = (query) => `${base}?${new URLSearchParams(query)}`;

function link(to, label, props = {}) {
  return h("a", { href: panel.href(to), "data-screen": true, ...props }, label);
}

const loaded = (of, show) => h(panel.Loading, { of }, show);

function table(label, keys, rows) {
  return h(panel.Table, { label, columns: keys.map((key) => ({ label: t(key) })) }, rows);
}

function valueText(value, field) {
  if (Array.isArray(value)) return value.map((one) => valueText(one, field)).join(", ");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  const text = String(value ?? "");
  return field?.options.find((option) => option.value === text)?.label ?? text;
}

function Forms() {
  const forms = panel.useLoaded("/forms");
  return h("div", { class: "screen" }, [
    h("header", { class: "screen-head" }, [h("h1", null, t("title")), h("p", null, t("why"))]),
    loaded(forms, ({ items }) =>
      items.length === 0
        ? h("p", { role: "status" }, t("noForms"))
        : table(
            t("title"),
            ["form", "submissions", "last"],
            items.map(({ name, title, total, lastAt }) =>
              h("tr", { key: name }, [
                h("td", null, link(addressOf({ form: name }), title)),
                h("td", null, total),
                h("td", { class: "dim" }, lastAt === null ? t("never") : panel.moment(lastAt)),
              ]),
            ),
          ),
    ),
  ]);
}

function Submissions({ name, query }) {
  const forms = panel.useLoaded("/forms");
  const offset = Number(query.get("offset")) || 0;
  const filter = { q: query.get("q") ?? "", spam: query.get("spam") ?? "" };
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  const asked = new URLSearchParams([["limit", LIMIT], ["offset", offset], ...given]);
  const found = panel.useLoaded(`${apiOf(name)}?${asked}`);
  const form = forms.data?.items.find((one) => one.name === name);
  const title = form?.title ?? name;
  const move = (changes) => panel.navigate(addressOf({ form: name, ...filter, ...changes }));
  return h("div", { class: "screen" }, [
    head(name, { title, days: form?.retentionDays ?? null }),
    h(SearchForm, { filter, move }),
    loaded(found, ({ items, total }) => [
      h("p", { class: "dim", role: "status" }, total === 0 ? t("none") : t("count", { n: total })),
      items.length > 0 && submissionTable(title, items, form),
      h(panel.Pager, { offset, limit: LIMIT, total, onMove: (next) => move({ offset: next }) }),
    ]),
  ]);
}

function head(name, { title, days }) {
  const file = { href: panel.href(`/api${apiOf(name)}.csv`), download: `${name}.csv` };
  return h("header", { class: "screen-head" }, [
    h("h1", null, title),
    h("a", { class: "button", ...file }, t("csv")),
    h("p", null, link(base, t("forms"))),
    days !== null && h("p", null, t("retention", { n: days })),
  ]);
}

function submissionTable(title, items, form) {
  return table(
    title,
    ["when", "content"],
    items.map((one) => row(one, form)),
  );
}

function SearchForm({ filter: { q, spam }, move }) {
  const onSubmit = (event) => {
    event.preventDefault();
    move({ q: new FormData(event.currentTarget).get("q") });
  };
  const onChange = (event) => move({ spam: event.currentTarget.value });
  const label = { "aria-label": t("search"), placeholder: t("search") };
  return h("form", { class: "row", role: "search", onSubmit }, [
    h("input", { type: "search", name: "q", value: q, ...label }),
    h("select", { "aria-label": t("which"), value: spam, onChange }, [
      h("option", { value: "" }, t("all")),
      h("option", { value: "false" }, t("noSpam")),
      h("option", { value: "true" }, t("onlySpam")),
    ]),
  ]);
}

function row({ id, form: name, at, spam, values }, form) {
  const text = Object.entries(values)
    .slice(0, 3)
    .map(([key, value]) =>
      valueText(
        value,
        form?.fields.find((field) => field.name === key),
      ),
    )
    .join(" · ");
  const label = t("open", { when: panel.moment(at) });
  return h("tr", { key: id }, [
    h("td", null, link(addressOf({ form: name, id }), panel.moment(at), { "aria-label": label })),
    h("td", { class: "break" }, [
      text.slice(0, 200),
      spam && h("span", { class: "badge bad" }, t("spam")),
    ]),
  ]);
}

function Submission({ name, id }) {
  const forms = panel.useLoaded("/forms");
  const one = panel.useLoaded(`${apiOf(name)}/${encodeURIComponent(id)}`);
  const [isAsked, setAsked] = panel.hooks.useState(false);
  const form = forms.data?.items.find((other) => other.name === name);
  const remove = async () => {
    await panel.request(`${apiOf(name)}/${encodeURIComponent(id)}`, { method: "DELETE" });
    panel.say(t("deleted"));
    panel.navigate(addressOf({ form: name }));
  };
  return h("div", { class: "screen" }, [
    h("header", { class: "screen-head" }, [
      h("h1", null, form?.title ?? name),
      h("p", null, link(addressOf({ form: name }), t("back"))),
    ]),
    loaded(one, ({ at, page, user, spam, values }) => [
      h(
        "div",
        { class: "card" },
        h("dl", { class: "submission" }, [
          pair(t("when"), [
            panel.moment(at),
            " ",
            spam && h("span", { class: "badge bad" }, t("spam")),
          ]),
          page !== "" && pair(t("page"), page),
          user !== null && pair(t("account"), user),
          ...Object.entries(values).map(([key, value]) => {
            const field = form?.fields.find((other) => other.name === key);
            return pair(field?.label ?? key, valueText(value, field));
          }),
        ]),
      ),
      panel.may("flex.write") &&
        h(
          "div",
          { class: "row" },
          isAsked
            ? [
                h("button", { type: "button", class: "danger", onClick: remove }, t("sure")),
                h("button", { type: "button", onClick: () => setAsked(false) }, t("cancel")),
              ]
            : h("button", { type: "button", onClick: () => setAsked(true) }, t("delete")),
        ),
    ]),
  ]);
}

function pair(label, value) {
  return h("div", { key: label }, [h("dt", { class: "dim" }, label), h("dd", null, value)]);
}

function Screen({ query }) {
  const name = query.get("form");
  const id = query.get("id");
  if (!name) return h(Forms);
  return id ? h(Submission, { name, id, key: id }) : h(Submissions, { name, query, key: name });
}

/** @type {import("../../panel/contract.js").PanelModule} */
export default (given) => {
  panel = given;
  t = panel.texts({ en, de });
  panel.style(
    ".submission { display: grid; gap: 0.8rem; margin: 0 } .submission dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }",
  );
  return { screens: [{ label: t("title"), permission: "submissions.read", view: Screen }] };
};
