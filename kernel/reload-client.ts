/** The browser's half of live reload: shared by the pages of a site in dev mode and by `site dev` while the site cannot start. */
const EVENTS = "/_site/reload";

// Reconnects by itself; a server that has restarted has another page, so the page is read again.
const SCRIPT = `(() => {
  let wasLost = false;
  const events = new EventSource("${EVENTS}");
  events.addEventListener("reload", () => location.reload());
  events.addEventListener("error", () => { wasLost = true; });
  events.addEventListener("open", () => { if (wasLost) location.reload(); });
})();
`;

/** Address of the server-sent events, the script that listens to them, and what a stream begins with. */
export const reloadClient = {
  events: EVENTS,
  script: SCRIPT,
  /** Reconnects after half a second: a site in dev mode restarts within that. */
  opening: "retry: 500\n: connected\n\n",
  message: "event: reload\ndata: {}\n\n",
} as const;
