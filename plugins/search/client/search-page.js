// The search page of an export: fills in the results from the files beside this script.
import { parseQuery } from "../query/parse-query.js";
import { ClientSearch } from "./client-search.js";
import { sectionsOf } from "./page-sections.js";

const home = new URL("./", import.meta.url);
const site = new URL("../../", home);
const search = new ClientSearch(async (name) => {
  const response = await fetch(new URL(name, home));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.json();
});

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Converts the HTML of an excerpt to text with `<mark>` and no other markup. */
function marked(html) {
  const out = document.createDocumentFragment();
  for (const node of new DOMParser().parseFromString(html, "text/html").body.childNodes) {
    const text = node.textContent ?? "";
    out.append(node.nodeName === "MARK" ? element("mark", { textContent: text }) : text);
  }
  return out;
}

function resultItem(item) {
  const href = new URL(item.route.replace(/^\/+/, ""), site).href;
  const place = element("p", { className: "result-place" }, new URL(href).pathname);
  if (item.date !== "") {
    const day = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
      dateStyle: "medium",
      timeZone: "UTC",
    });
    place.append(element("time", { dateTime: item.date }, day.format(new Date(item.date))));
  }
  return element(
    "li",
    { className: "result search-result" },
    element("h2", {}, element("a", { href, textContent: item.title })),
    place,
    element("p", {}, marked(item.excerpt)),
  );
}

/** The place that the theme provides for results, or else after its form. */
function places() {
  const main = document.querySelector("main") ?? document.body;
  const found = (name, classes, make) =>
    main.querySelector(`[data-search-${name}]`) ?? main.querySelector(classes) ?? make();
  const list = found("results", "ol.results, #search-results", () => {
    const made = element("ol", { className: "results" });
    main.append(made);
    return made;
  });
  const count = found("count", ".search-count, #search-status", () => {
    const made = element("p", { className: "search-count" });
    list.before(made);
    return made;
  });
  count.setAttribute("role", "status");
  return { list, count };
}

function countText(total, query, { dataset }) {
  const [name, fallback] =
    total === 0
      ? ["none", "Nothing found for “{q}”"]
      : total === 1
        ? ["one", "1 result for “{q}”"]
        : ["many", "{n} results for “{q}”"];
  return (dataset[name] ?? fallback).replace("{n}", String(total)).replace("{q}", () => query);
}

function link(params, change, properties) {
  const next = new URLSearchParams(params);
  change(next);
  return element("a", { ...properties, href: `?${next}` });
}

function facetList(counts, params, { dataset }) {
  const fields = Object.entries(counts).filter(([, values]) => Object.keys(values).length > 0);
  const nav = element("nav", { className: "facets", ariaLabel: dataset.narrow ?? "Narrow down" });
  for (const [field, values] of fields) {
    const list = element("ul");
    for (const [value, count] of Object.entries(values)) {
      const name = `facet[${field}]`;
      const isOn = params.getAll(name).includes(value);
      const toggle = (next) => {
        const chosen = next.getAll(name).filter((one) => one !== value);
        next.delete(name);
        next.delete("offset");
        for (const one of isOn ? chosen : [...chosen, value]) next.append(name, one);
      };
      const item = link(params, toggle, { rel: "nofollow" });
      if (isOn) item.setAttribute("aria-current", "true");
      item.append(
        element("span", { textContent: value }),
        " ",
        element("span", { className: "count", textContent: String(count) }),
      );
      list.append(element("li", {}, item));
    }
    nav.append(
      element("section", {}, element("h2", { textContent: field.split(".").at(-1) }), list),
    );
  }
  return fields.length === 0 ? null : nav;
}

function pager(request, { hasMore, params, dataset }) {
  if (request.offset === 0 && !hasMore) return null;
  const at = (offset) => (next) => {
    if (offset === 0) next.delete("offset");
    else next.set("offset", String(offset));
  };
  const before = Math.max(0, request.offset - request.limit);
  return element(
    "nav",
    { className: "pagination", ariaLabel: dataset.pages ?? "Pages" },
    request.offset > 0
      ? link(params, at(before), { rel: "prev", textContent: dataset.previous ?? "Previous" })
      : element("span"),
    hasMore
      ? link(params, at(request.offset + request.limit), {
          rel: "next",
          textContent: dataset.next ?? "Next",
        })
      : element("span"),
  );
}

function render(request, answer, { params, list, count }) {
  list.replaceChildren(...answer.items.map(resultItem));
  if ("start" in list) list.start = request.offset + 1;
  count.textContent = request.text === "" ? "" : countText(answer.total, request.text, list);
  const facets = request.text === "" ? null : facetList(answer.facets, params, list);
  const body = list.closest(".search-body");
  if (facets !== null) (body ?? list.parentElement).prepend(facets);
  body?.classList.toggle("has-facets", facets !== null);
  const pages = pager(request, { hasMore: answer.hasMore, params, dataset: list.dataset });
  if (pages !== null) list.after(pages);
}

/** The second group: hits by similar words, and the query without typos. */
function renderSimilar({ similar, didYouMean }, { list, params }) {
  const { dataset } = list;
  if (didYouMean !== null) {
    const name = dataset.meant ?? "Did you mean:";
    const change = (next) => next.set("q", didYouMean);
    list.before(
      element(
        "p",
        { className: "search-meant" },
        `${name} `,
        link(params, change, { textContent: didYouMean }),
      ),
    );
  }
  if (similar.length === 0) return;
  const title = element("h2", {
    textContent: dataset.similar ?? "Similar words",
    id: "search-similar",
  });
  const results = element("ol", { className: "results" }, ...similar.map(resultItem));
  const section = element("section", { className: "search-similar" }, title, results);
  section.setAttribute("aria-labelledby", "search-similar");
  list.parentElement.append(section);
}

async function show() {
  const params = new URLSearchParams(location.search);
  const { list, count } = places();
  const input = document.querySelector('main input[name="q"]');
  if (input) input.value = params.get("q") ?? "";
  try {
    const lang = list.dataset.lang ?? null;
    const request = { ...readRequest(params, await search.head()), lang };
    const answer = await search.search(request);
    render(request, answer, { params, list, count });
    renderSimilar(await search.similar(request, answer), { list, params });
  } catch (error) {
    count.textContent = list.dataset.failed ?? "Search is not available at the moment.";
    throw error;
  }
}

/** For the search dialog: the answer of the server's API. */
export async function find(text, lang) {
  const filters = { taxonomy: {}, facets: {} };
  const request = { text, filters, sort: "relevance", limit: 8, offset: 0, lang };
  const answer = await search.search(request);
  const [beside, sections] = await Promise.all([
    search.similar(request, answer),
    sectionsOf(answer.items, parseQuery(text, (await search.head()).syntax).terms, site),
  ]);
  return { ...answer, ...beside, sections };
}

const isSearchPage = [...document.querySelectorAll("script[src]")].some(
  ({ src }) => src === import.meta.url,
);
if (isSearchPage) await show();

/** Parses the query string of the search page as the server does. */
function readRequest(params, head) {
  const hasSubtype = head.facets.includes("subtype");
  const facets = chosenFacets(params, head.facets);
  const type = params.get("type") ?? "";
  if (hasSubtype && type !== "" && type !== "all") facets.subtype = [type];
  return {
    text: params.get("q") ?? "",
    filters: { taxonomy: chosenTaxonomy(params), facets },
    sort: hasSubtype && params.get("sort") === "date" ? "date" : "relevance",
    limit: Math.min(500, whole(params.get("limit"), 1) ?? head.pageSize),
    offset: whole(params.get("offset"), 0) ?? 0,
  };
}

function whole(text, least) {
  return /^\d{1,7}$/.test(text ?? "") && Number(text) >= least ? Number(text) : null;
}

function chosenFacets(params, fields) {
  const named = fields.map((field) => {
    const values = [...params.getAll(`facet[${field}]`), ...params.getAll(`facet[${field}][]`)];
    return [field, values.filter((value) => value !== "")];
  });
  return Object.fromEntries(named.filter(([, values]) => values.length > 0));
}

function chosenTaxonomy(params) {
  const chosen = {};
  for (const [name, value] of params) {
    const key = /^taxonomy\[([^\]]+)\](?:\[\])?$/.exec(name)?.[1];
    if (key !== undefined && value !== "") chosen[key] = [...(chosen[key] ?? []), value];
  }
  return chosen;
}
