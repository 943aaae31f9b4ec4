/**
 * The inline script of the built-in page: calls the API while the user types. Titles and routes are
 * inserted as text; the excerpt is HTML, reduced to `<mark>`.
 */
export const liveSearchScript = `(() => {
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
