/** The browser part of live reload, for pages of a site and for a server that has none to show. */
const EVENTS = "/_site/reload";

// EventSource reconnects by itself; the server has restarted then, so reload the page.
const SCRIPT = `(() => {
  let wasLost = false;
  // The site may be served below a path, which its addresses begin with.
  const from = globalThis.document?.currentScript?.src;
  const base = from ? new URL(from).pathname.replace(/\\/_site\\/.*$/, "") : "";
  const events = new EventSource(base + "${EVENTS}");
  events.addEventListener("reload", () => location.reload());
  events.addEventListener("error", () => { wasLost = true; });
  events.addEventListener("open", () => { if (wasLost) location.reload(); });
})();
`;

/** URL of the server-sent events, the script that listens to them, and the start of the stream. */
export const reloadClient = {
  events: EVENTS,
  script: SCRIPT,
  /** Reconnects after half a second: a site in dev mode restarts within that. */
  opening: "retry: 500\n: connected\n\n",
  message: "event: reload\ndata: {}\n\n",
} as const;
