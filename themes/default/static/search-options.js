// The entries of the search dialog.
import { atMoment, base, page, remember } from "./search-source.js";

export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on")
      for (const [event, run] of Object.entries(value)) made.addEventListener(event, run);
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};
/** Text with `<mark>` and no other markup, from the HTML of an excerpt. */
const marked = (html) => {
  const out = document.createDocumentFragment();
  for (const { nodeName, textContent } of new DOMParser().parseFromString(html, "text/html").body
    .childNodes)
    out.append(nodeName === "MARK" ? element("mark", {}, textContent) : textContent);
  return out;
};
let count = 0;
const option = (attributes, ...children) =>
  element(
    "a",
    {
      role: "option",
      id: `search-option-${(count += 1)}`,
      tabindex: "-1",
      "aria-selected": "false",
      ...attributes,
    },
    ...children,
  );
const link = ({ route, className, query }, ...children) =>
  option(
    {
      href: atMoment(`${base}${route}`),
      class: className,
      on: { click: () => remember(query) },
    },
    ...children,
  );
/** A query that is searched when it is chosen. */
export const queryOption = (query, choose, ...children) =>
  option(
    {
      href: atMoment(`${page}?${new URLSearchParams({ q: query })}`),
      class: "search-query",
      on: {
        click: (event) => {
          event.preventDefault();
          choose(query);
        },
      },
    },
    ...(children.length > 0 ? children : [query]),
  );
export const group = (label, items, ...extra) => {
  if (items.length === 0) return [];
  const id = `search-group-${(count += 1)}`;
  const head = element("div", { class: "search-group", id, role: "presentation" }, label, ...extra);
  return [element("div", { role: "group", "aria-labelledby": id }, head, ...items)];
};

export const hit = (item, { query, sections = [] }) => [
  link(
    { route: item.route, className: "search-hit", query },
    element("strong", {}, item.title),
    element("span", { class: "search-text" }, marked(item.excerpt)),
  ),
  ...sections.map(({ id, title, excerpt }) =>
    link(
      { route: `${item.route}#${encodeURIComponent(id)}`, className: "search-section", query },
      element("strong", {}, title),
      element("span", { class: "search-text" }, marked(excerpt)),
    ),
  ),
];
