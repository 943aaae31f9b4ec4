// Public pages: a link to the editor, for browsers that are signed in to the panel. Pages are the same for
// everybody; only the cookie that signing in sets makes this script act.
const TEXTS = { en: "Edit this page", de: "Seite bearbeiten" };
const isSignedIn = /(?:^|;\s*)site_panel=1(?:;|$)/.test(document.cookie);
// An error page has no file to edit. Browsers without this measure show the link.
const [visit] = performance.getEntriesByType("navigation");
const isError = (visit?.responseStatus ?? 0) >= 400;
if (isSignedIn && !isError && window.top === window) {
  const panel = new URL(import.meta.url).pathname.replace(/\/assets\/.*$/, "");
  const link = document.createElement("a");
  const [language = ""] = document.documentElement.lang.split("-");
  link.href = `${panel}/edit-page?path=${encodeURIComponent(location.pathname)}`;
  link.textContent = TEXTS[language] ?? TEXTS.en;
  link.lang = Object.hasOwn(TEXTS, language) ? language : "en";
  link.className = "edit-this-page";
  Object.assign(link.style, {
    position: "fixed",
    insetInlineEnd: "1rem",
    insetBlockEnd: "1rem",
    zIndex: "10",
    padding: "0.5rem 0.9rem",
    borderRadius: "0.5rem",
    background: "#1e293b",
    color: "#ffffff",
    font: "600 0.9rem/1.4 system-ui, sans-serif",
    textDecoration: "none",
    boxShadow: "0 2px 8px rgb(0 0 0 / 0.35)",
  });
  const place = document.createElement("aside");
  place.setAttribute("aria-label", link.textContent);
  place.append(link);
  document.body.append(place);
}
