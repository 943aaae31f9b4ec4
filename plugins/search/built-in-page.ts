import type { Answer } from "#kernel";
import type { SearchAnswer, SearchItem, SearchRequest } from "./contract.js";
import { escapeHtml } from "./query/excerpt.js";

/** The content of the search page. */
export interface SearchPage {
  readonly request: SearchRequest & { readonly type: string };
  readonly answer: SearchAnswer;
  readonly siteTitle: string;
}
/** Response options of the page. */
export interface PageOptions {
  readonly nonce: string;
  readonly lang: string;
  /** Address of the page. */
  readonly path: string;
  readonly private: boolean;
  /** Unix ms from which the results may be others. */
  readonly until: number;
}

const style = `:root{color-scheme:light dark;--ink:#1c1b22;--dim:#5b5968;--line:#dcdae2;--paper:#fff;--link:#4338ca}
@media(prefers-color-scheme:dark){:root{--ink:#ecebf2;--dim:#aaa7b8;--line:#3a3847;--paper:#15141b;--link:#a5b4fc}}
*{box-sizing:border-box}body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:44rem;margin:0 auto;padding:clamp(1.5rem,6vh,4rem) 1.25rem}h1{line-height:1.15;letter-spacing:-.02em;margin:.5rem 0 1rem}
h2{font-size:1.15rem;margin:0}a{color:var(--link);text-underline-offset:.15em}form{display:flex;gap:.5rem}
input,button{font:inherit;padding:.6rem .9rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit}
input{flex:1;min-width:0}button{background:var(--ink);color:var(--paper);cursor:pointer}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
#search-results{list-style:none;margin:1rem 0;padding:0}.search-result{padding:1rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
.search-result p{margin:.25rem 0}.route,.status{color:var(--dim);font-size:.925rem}mark{background:#fde68a;color:#1c1b22;border-radius:.15em}
nav{display:flex;gap:1rem}[hidden]{display:none}`;

/** Title of the page; starts with the query if there is one. */
export function formatTitle(query: string, siteTitle: string, word = "Search"): string {
  return query.trim() === "" ? `${word} | ${siteTitle}` : `${word}: ${query} | ${siteTitle}`;
}

/**
 * The search page without a theme's template: works without JavaScript, and updates while the user
 * types.
 */
export function builtInPage(page: SearchPage, options: PageOptions): Answer {
  const { request, answer, siteTitle } = page;
  const query = escapeHtml(request.text);
  const nonce = escapeHtml(options.nonce);
  const asked = request.text.trim() !== "";
  const body = [
    `<p><a href="/">${escapeHtml(siteTitle)}</a></p><h1>Search</h1>`,
    `<form action="${escapeHtml(options.path)}" method="get" role="search" data-page="${escapeHtml(options.path)}"><label for="q" hidden>Search words</label>`,
    `<input id="q" name="q" type="search" value="${query}" maxlength="256" autocomplete="off" aria-label="Search words" aria-controls="search-results"${asked ? "" : " autofocus"}>`,
    `<button type="submit">Search</button></form>`,
    `<p id="search-status" class="status" role="status" aria-live="polite">${asked ? statusText(answer.total) : ""}</p>`,
    `<ol id="search-results"${request.lang === null ? "" : ` data-lang="${escapeHtml(request.lang)}"`}>${answer.items.map(resultHtml).join("")}</ol>`,
    `<p id="search-empty"${asked && answer.total === 0 ? "" : " hidden"}>No results found for <strong>${query}</strong>.</p>`,
    `<nav id="search-pages" aria-label="Pages of results">${pagesHtml(page, options.path)}</nav>`,
  ].join("");
  const html = [
    `<!doctype html><html lang="${escapeHtml(options.lang)}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
    `<title>${escapeHtml(formatTitle(request.text, siteTitle))}</title><style nonce="${nonce}">${style}</style></head>`,
    `<body><main>${body}</main><script data-live nonce="${nonce}">${liveSearchScript}</script></body></html>`,
  ].join("");
  const cache = { private: options.private, until: options.until };
  return { type: "text/html; charset=utf-8", body: html, cache };
}

function statusText(total: number): string {
  return total === 1 ? "1 result" : `${total} results`;
}

function resultHtml({ route, title, excerpt, date }: SearchItem): string {
  const link = `<h2><a href="${escapeHtml(safeHref(route))}">${escapeHtml(title)}</a></h2>`;
  const day =
    date === "" ? "" : ` · <time datetime="${escapeHtml(date)}">${escapeHtml(date)}</time>`;
  return `<li class="search-result">${link}<p>${excerpt}</p><span class="route">${escapeHtml(route)}${day}</span></li>`;
}

/** Only paths of this site, so that a contributed route cannot become a script or another host. */
function safeHref(route: string): string {
  return route.startsWith("/") && !route.startsWith("//") && !route.startsWith("/\\") ? route : "/";
}

function pagesHtml({ request, answer }: SearchPage, path: string): string {
  const { offset, limit } = request;
  const link = (to: number, rel: "prev" | "next"): string =>
    `<a rel="${rel}" href="${escapeHtml(`${path}?${pageQuery(request, to)}`)}">${LABELS[rel]}</a>`;
  const before = offset > 0 ? [link(Math.max(0, offset - limit), "prev")] : [];
  const after = answer.hasMore ? [link(offset + limit, "next")] : [];
  return [...before, ...after].join("");
}

const LABELS = { prev: "Previous results", next: "Next results" } as const;

function pageQuery(request: SearchPage["request"], offset: number): URLSearchParams {
  const query = new URLSearchParams({ q: request.text });
  if (request.sort === "date") query.set("sort", "date");
  if (request.type !== "") query.set("type", request.type);
  if (offset > 0) query.set("offset", String(offset));
  query.set("limit", String(request.limit));
  return query;
}

/**
 * The inline script of the built-in page: calls the API while the user types. Titles and routes are
 * inserted as text; the excerpt is HTML, reduced to `<mark>`.
 */
const liveSearchScript = `(() => {
  const input = document.getElementById("q");
  const list = document.getElementById("search-results");
  const status = document.getElementById("search-status");
  const empty = document.getElementById("search-empty");
  const pages = document.getElementById("search-pages");
  const { lang } = list.dataset;
  // The site may be served below a path, which its addresses begin with.
  const base = input.form.getAttribute("action").slice(0, -input.form.dataset.page.length);
  const inLanguage = lang ? "&lang=" + encodeURIComponent(lang) : "";
  const moment = document.querySelector(".site-moment") ? new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => ["at", "rev", "preview"].includes(name))).toString() : "";
  let timer = 0;
  let last = input.value.trim();
  let running = null;
  const marked = (html) => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const out = document.createDocumentFragment();
    for (const node of parsed.body.childNodes) {
      const to = node.nodeName === "MARK" ? document.createElement("mark") : document.createTextNode("");
      to.textContent = node.textContent;
      out.append(to);
    }
    return out;
  };
  const row = (item) => {
    const li = document.createElement("li");
    li.className = "search-result";
    const h2 = document.createElement("h2");
    const a = document.createElement("a");
    a.href = base + (/^\\/(?![\\/\\\\])/.test(item.route) ? item.route : "/") + (moment && "?" + moment);
    a.textContent = item.title;
    h2.append(a);
    const p = document.createElement("p");
    p.append(marked(item.excerpt));
    const route = document.createElement("span");
    route.className = "route";
    route.textContent = item.route + (item.date ? " · " + item.date : "");
    li.append(h2, p, route);
    return li;
  };
  const show = (query, answer) => {
    list.replaceChildren(...answer.items.map(row));
    pages.replaceChildren();
    const asked = query !== "";
    status.textContent = asked ? (answer.total === 1 ? "1 result" : answer.total + " results") : "";
    empty.hidden = !asked || answer.total > 0;
    empty.querySelector("strong").textContent = query;
    const url = new URL(location.href);
    url.search = [asked && "q=" + encodeURIComponent(query), moment].filter(Boolean).join("&");
    history.replaceState(null, "", url);
  };
  const search = async () => {
    const query = input.value.trim();
    if (query === last) return;
    last = query;
    running?.abort();
    running = new AbortController();
    try {
      const response = await fetch(base + "/api/search?limit=20&q=" + encodeURIComponent(query) + inLanguage + (moment && "&" + moment), { signal: running.signal });
      const answer = await response.json();
      if (!response.ok) throw new Error(answer.error);
      show(query, answer);
    } catch (error) {
      if (error.name !== "AbortError") status.textContent = "Search is not available at the moment.";
    }
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 250);
  });
})();`;
