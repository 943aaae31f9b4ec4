// The search dialog: Ctrl+K, "/" and the search field open it. Search works without this script.
import { element, group, hit, queryOption } from "./search-options.js";
import {
  find,
  momentFields,
  page,
  recent,
  remember,
  stylesheet,
  suggest,
  texts,
} from "./search-source.js";

const WAIT_MS = 120;

let dialog, input, list, status;
let active = -1;
let running = null;
let timer = 0;

const options = () => [...list.querySelectorAll("[role=option]")];
const activate = (at) => {
  const all = options();
  active = all.length === 0 || at < 0 ? -1 : at % all.length;
  for (const [index, option] of all.entries())
    option.setAttribute("aria-selected", String(index === active));
  if (active < 0) input.removeAttribute("aria-activedescendant");
  else {
    input.setAttribute("aria-activedescendant", all[active].id);
    all[active].scrollIntoView({ block: "nearest" });
  }
};

const countText = (total, query) => {
  const name = total === 0 ? "none" : total === 1 ? "one" : "many";
  return texts[name].replace("{n}", total).replace("{q}", () => query);
};

const choose = (query) => {
  input.value = query;
  input.focus();
  search(0);
};

const showRecent = () => {
  const clear = element(
    "button",
    {
      type: "button",
      class: "search-clear",
      on: { click: () => (remember(""), showRecent(), input.focus()) },
    },
    texts.clear,
  );
  const items = recent().map((query) => queryOption(query, choose));
  status.textContent = "";
  list.replaceChildren(...group(texts.recent, items));
  if (items.length > 0) list.append(clear);
  activate(-1);
};

const show = (query, answer, suggestions) => {
  const { items, similar = [], sections = {}, didYouMean, total } = answer;
  const meant = didYouMean
    ? [queryOption(didYouMean, choose, `${texts.meant} `, element("strong", {}, didYouMean))]
    : [];
  const others = suggestions.filter((one) => one.toLowerCase() !== query.toLowerCase()).slice(0, 3);
  list.replaceChildren(
    ...group(texts.suggested, [...meant, ...others.map((one) => queryOption(one, choose))]),
    ...group(
      texts.results,
      items.flatMap((item) => hit(item, { query, sections: sections[item.route] })),
    ),
    ...group(
      texts.similar,
      similar.slice(0, 5).flatMap((item) => hit(item, { query })),
    ),
  );
  const also = similar.length > 0 ? ` · ${texts.similar}: ${Math.min(similar.length, 5)}` : "";
  status.textContent = countText(total, query) + also;
  activate(items.length > 0 ? meant.length + Math.min(others.length, 3) : 0);
};

const search = (wait = WAIT_MS) => {
  clearTimeout(timer);
  running?.abort();
  const query = input.value.trim();
  if (query === "") return showRecent();
  const mine = (running = new AbortController());
  timer = setTimeout(() => void request(query, mine), wait);
};

const request = async (query, mine) => {
  try {
    const [answer, suggestions] = await Promise.all([
      find(query, mine.signal),
      suggest(query, mine.signal).catch(() => []),
    ]);
    if (running === mine) show(query, answer, suggestions);
  } catch (error) {
    if (error.name !== "AbortError" && running === mine) status.textContent = texts.failed;
  }
};

const onKey = (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.isComposing) return;
  if (step !== undefined) {
    event.preventDefault();
    const next = active + step;
    activate(next < 0 ? options().length - 1 : next);
  } else if (event.key === "Enter" && active >= 0) {
    event.preventDefault();
    options()[active].click();
  }
};

const build = () => {
  input = element("input", {
    type: "text",
    name: "q",
    role: "combobox",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    "aria-controls": "search-list",
    "aria-label": texts.label,
    placeholder: texts.label,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    on: { input: () => search(), keydown: onKey },
  });
  list = element("div", { role: "listbox", id: "search-list", "aria-label": texts.results });
  status = element("p", { role: "status", class: "search-status" });
  const close = element(
    "button",
    { type: "button", on: { click: () => dialog.close() } },
    texts.close,
  );
  const form = element(
    "form",
    { action: page, role: "search", on: { submit: () => remember(input.value.trim()) } },
    input,
    ...momentFields.map(([name, value]) => element("input", { type: "hidden", name, value })),
    close,
  );
  const onDialog = (event) => {
    if (event.target === dialog) dialog.close();
    else if (event.target.closest("a")?.href.split("#")[0] === location.href.split("#")[0])
      dialog.close();
  };
  dialog = element(
    "dialog",
    { class: "search-dialog", "aria-label": texts.label, on: { click: onDialog } },
    form,
    status,
    list,
    element("p", { class: "search-keys", "aria-hidden": "true" }, texts.keys),
  );
  document.body.append(dialog);
};

/** The styles come first, so that the dialog is never seen without them. */
let styles = null;
const styled = () =>
  (styles ??= new Promise((resolve) => {
    const href = stylesheet;
    document.head.append(
      element("link", { rel: "stylesheet", href, on: { load: resolve, error: resolve } }),
    );
  }));

const open = async (query = "") => {
  if (dialog === undefined) build();
  await styled();
  if (!dialog.open) dialog.showModal();
  if (query !== "") input.value = query;
  input.select();
  search(0);
};

const isTyping = ({ target }) =>
  target.closest?.("input, textarea, select, [contenteditable]") !== null;
const hasModifier = ({ ctrlKey, metaKey }) => ctrlKey || metaKey;
const isPalette = (event) =>
  event.key.toLowerCase() === "k" && hasModifier(event) && !event.shiftKey && !event.altKey;
// The search page has a field of its own for "/".
const isSlash = (event) =>
  event.key === "/" &&
  !hasModifier(event) &&
  !event.altKey &&
  !isTyping(event) &&
  !document.querySelector("main [data-search]");
addEventListener(
  "keydown",
  (event) => {
    if (!isPalette(event) && !isSlash(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void open();
  },
  true,
);
for (const field of document.querySelectorAll(".search-wide input, a.search-narrow")) {
  field.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void open(field.value ?? "");
  });
}
