// Where the search dialog gets its results, and what it remembers.
const script = document.querySelector("script[data-search-dialog]");

/** Texts of the theme, and addresses. */
export const texts = script.dataset;
export const stylesheet = script.src.replace("search-dialog.js", "search-dialog.css");
const MAX_RECENT = 5;
const RECENT = "site-searches";
// An export may lie below a folder, which its addresses begin with.
export const base = new URL(script.src).pathname.slice(0, -texts.src.length);

// At another moment, its notice stands on the page: searches and their results stay there.
const moment = document.querySelector(".site-moment")
  ? [...new URLSearchParams(location.search)].filter(([name]) =>
      ["at", "rev", "preview"].includes(name),
    )
  : [];
export const momentFields = moment;
/** The address at the moment that the page shows. */
export const atMoment = (address) => {
  if (moment.length === 0) return address;
  const [path, fragment] = address.split("#");
  const query = `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(moment)}`;
  return fragment === undefined ? query : `${query}#${fragment}`;
};

/** The search page. */
export const page = base + texts.page;

export const recent = () => {
  try {
    const saved = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(saved)
      ? saved.filter((one) => typeof one === "string").slice(0, MAX_RECENT)
      : [];
  } catch {
    return [];
  }
};
export const remember = (query) => {
  const all = query === "" ? [] : [query, ...recent().filter((one) => one !== query)];
  try {
    localStorage.setItem(RECENT, JSON.stringify(all.slice(0, MAX_RECENT)));
  } catch {
    // Storage is disabled: nothing is remembered.
  }
};

let exported = null;
/** The server's answer; a site without a server searches the files of its export. */
export const find = async (query, signal) => {
  const asked = { q: query, limit: "8", similar: "1", sections: "1", lang: texts.lang };
  if (exported === null) {
    const response = await fetch(atMoment(`${base}/api/search?${new URLSearchParams(asked)}`), {
      signal,
    });
    const isJson = (response.headers.get("content-type") ?? "").includes("json");
    if (isJson && response.ok) return response.json();
    if (response.status !== 404) throw new Error(`search: ${response.status}`);
    exported = await import(`${base}/_site/search/search.js`);
  }
  return exported.find(query, texts.lang);
};
export const suggest = async (query, signal) => {
  if (exported !== null || moment.length > 0) return [];
  const asked = new URLSearchParams({ q: query, lang: texts.lang });
  const response = await fetch(`${base}/api/search/suggest?${asked}`, { signal });
  return response.ok ? (await response.json()).suggestions : [];
};
