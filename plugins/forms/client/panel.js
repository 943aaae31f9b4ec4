/** The screens of forms in the panel: forms, submissions, one submission. One file, without imports. */

/** English and German. */
const TEXTS = {
  title: ["Form submissions", "Formulareingänge"],
  why: [
    "What visitors have sent with the forms of the site.",
    "Was Besucher mit den Formularen der Website gesendet haben.",
  ],
  noForms: [
    "The site has no forms: add a file to the folder forms.",
    "Die Website hat keine Formulare: Legen Sie eine Datei im Ordner forms an.",
  ],
  form: ["Form", "Formular"],
  submissions: ["Submissions", "Eingänge"],
  last: ["Newest", "Neuester"],
  never: ["none", "keiner"],
  search: ["Search in the values", "In den Werten suchen"],
  spam: ["Spam", "Spam"],
  all: ["All", "Alle"],
  onlySpam: ["Only spam", "Nur Spam"],
  noSpam: ["Without spam", "Ohne Spam"],
  which: ["Show", "Zeigen"],
  when: ["When", "Wann"],
  content: ["Content", "Inhalt"],
  none: ["There are no submissions.", "Es gibt keine Eingänge."],
  count: ["{n} submissions", "{n} Eingänge"],
  csv: ["Download as CSV", "Als CSV herunterladen"],
  open: ["Open the submission of {when}", "Eingang vom {when} öffnen"],
  back: ["All submissions", "Alle Eingänge"],
  forms: ["All forms", "Alle Formulare"],
  page: ["Page", "Seite"],
  account: ["Account", "Konto"],
  delete: ["Delete", "Löschen"],
  sure: ["Delete for good", "Endgültig löschen"],
  cancel: ["Cancel", "Abbrechen"],
  deleted: ["The submission was deleted.", "Der Eingang wurde gelöscht."],
  previous: ["Newer", "Neuere"],
  next: ["Older", "Ältere"],
  range: ["{from} to {to} of {total}", "{from} bis {to} von {total}"],
  loading: ["Loading …", "Wird geladen …"],
  failed: ["This could not be loaded: ", "Das konnte nicht geladen werden: "],
  yes: ["yes", "ja"],
  no: ["no", "nein"],
  retention: [
    "Submissions are deleted after {n} days.",
    "Eingänge werden nach {n} Tagen gelöscht.",
  ],
};
const LIMIT = 50;

/** What the panel offers to extensions; set when it starts this one. @type {import("../../panel/contract.js").PanelApi} */
let panel;
const h = (...node) => panel.h(...node);
const t = (key, values = {}) =>
  TEXTS[key][panel.language === "de" ? 1 : 0].replaceAll(/\{(\w+)\}/g, (_, name) =>
    String(values[name] ?? ""),
  );
const base = "/plugins/forms";
const moment = (at) =>
  new Intl.DateTimeFormat(panel.language, { dateStyle: "medium", timeStyle: "short" }).format(at);
const apiOf = (form) => `/forms/${encodeURIComponent(form)}/submissions`;
const addressOf = (query) => `${base}?${new URLSearchParams(query)}`;

function link(to, label, props = {}) {
  return h("a", { href: panel.href(to), "data-screen": true, ...props }, label);
}

/** What a request returned; null while it runs, an Error when it failed. */
function useLoaded(path) {
  const [state, setState] = panel.hooks.useState({ path: "", result: null });
  panel.hooks.useEffect(() => {
    let isCurrent = true;
    panel.request(path).then(
      (result) => isCurrent && setState({ path, result }),
      (error) => isCurrent && setState({ path, result: error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [path]);
  return state.path === path ? state.result : null;
}

function loaded(result, show) {
  if (result === null) return h("p", { class: "waiting", role: "status" }, t("loading"));
  if (result instanceof Error)
    return h("p", { class: "notice bad", role: "alert" }, t("failed") + result.message);
  return show(result);
}

function table(label, columns, rows) {
  const head = columns.map((text) => h("th", { key: text, scope: "col" }, text));
  return h(
    "div",
    { class: "table-wrap", tabIndex: 0, role: "region", "aria-label": label },
    h("table", null, h("thead", null, h("tr", null, head)), h("tbody", null, rows)),
  );
}

function valueText(value, field) {
  if (Array.isArray(value)) return value.map((one) => valueText(one, field)).join(", ");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  const text = String(value ?? "");
  return field?.options.find((option) => option.value === text)?.label ?? text;
}

function Forms() {
  const forms = useLoaded("/forms");
  return h("div", { class: "screen" }, [
    h("header", { class: "screen-head" }, [h("h1", null, t("title")), h("p", null, t("why"))]),
    loaded(forms, ({ items }) =>
      items.length === 0
        ? h("p", { role: "status" }, t("noForms"))
        : table(
            t("title"),
            [t("form"), t("submissions"), t("last")],
            items.map(({ name, title, total, lastAt }) =>
              h("tr", { key: name }, [
                h("td", null, link(addressOf({ form: name }), title)),
                h("td", null, total),
                h("td", { class: "dim" }, lastAt === null ? t("never") : moment(lastAt)),
              ]),
            ),
          ),
    ),
  ]);
}

function Submissions({ name, query }) {
  const forms = useLoaded("/forms");
  const offset = Number(query.get("offset")) || 0;
  const filter = { q: query.get("q") ?? "", spam: query.get("spam") ?? "" };
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  const asked = new URLSearchParams([["limit", LIMIT], ["offset", offset], ...given]);
  const found = useLoaded(`${apiOf(name)}?${asked}`);
  const form = forms?.items?.find((one) => one.name === name);
  const title = form?.title ?? name;
  const move = (changes) => panel.navigate(addressOf({ form: name, ...filter, ...changes }));
  return h("div", { class: "screen" }, [
    head(name, { title, days: form?.retentionDays ?? null }),
    h(SearchForm, { filter, move }),
    loaded(found, ({ items, total }) => [
      h("p", { class: "dim", role: "status" }, total === 0 ? t("none") : t("count", { n: total })),
      items.length > 0 && submissionTable(title, items, form),
      total > LIMIT && pager({ offset, total, move }),
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
  const columns = [t("when"), t("content")];
  return table(
    title,
    columns,
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
  const label = t("open", { when: moment(at) });
  return h("tr", { key: id }, [
    h("td", null, link(addressOf({ form: name, id }), moment(at), { "aria-label": label })),
    h("td", { class: "break" }, [
      text.slice(0, 200),
      spam && h("span", { class: "badge bad" }, t("spam")),
    ]),
  ]);
}

function pager({ offset, total, move }) {
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

function Submission({ name, id }) {
  const forms = useLoaded("/forms");
  const one = useLoaded(`${apiOf(name)}/${encodeURIComponent(id)}`);
  const [isAsked, setAsked] = panel.hooks.useState(false);
  const form = forms?.items?.find((other) => other.name === name);
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
          pair(t("when"), [moment(at), " ", spam && h("span", { class: "badge bad" }, t("spam"))]),
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
  panel.style(
    ".submission { display: grid; gap: 0.8rem; margin: 0 } .submission dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }",
  );
  return { screens: [{ label: t("title"), permission: "submissions.read", view: Screen }] };
};
