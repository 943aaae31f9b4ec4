import { escapeHtml, type RouteHandler, type SiteContext } from "#kernel";
import type { Head } from "./head.js";

const EVENTS = "/_site/reload";
const SCRIPT = "/_site/reload.js";

// Reconnects by itself; a server that has restarted has another page, so the page is read again.
const CLIENT = `(() => {
  let wasLost = false;
  const events = new EventSource("${EVENTS}");
  events.addEventListener("reload", () => location.reload());
  events.addEventListener("error", () => { wasLost = true; });
  events.addEventListener("open", () => { if (wasLost) location.reload(); });
})();
`;

type Response = Parameters<RouteHandler>[1];

/** Tells browsers in dev mode that something has changed. */
export class LiveReload {
  readonly #clients = new Set<Response>();

  /** Sends `reload` to every open page. */
  reload(): void {
    for (const client of this.#clients) client.write("event: reload\ndata: {}\n\n");
  }

  /** Declares its routes and adds its script to every page. */
  mount(site: SiteContext, head: Head): void {
    head.add(
      (req) => `<script src="${SCRIPT}" nonce="${escapeHtml(req.ctx.nonce())}" defer></script>`,
    );
    site.http.route({
      method: "get",
      path: SCRIPT,
      summary: "The script that reloads a page in dev mode",
      hidden: true,
      handler: (req, res) =>
        site.http.send(req, res, { type: "text/javascript; charset=utf-8", body: CLIENT }),
    });
    site.http.route({
      method: "get",
      path: EVENTS,
      summary: "Says when a page is to be reloaded (server-sent events, dev mode)",
      hidden: true,
      handler: (_req, res) => this.#open(res, site),
    });
    // Closing waits for open requests, and a stream is one that would never end.
    site.signal.addEventListener("abort", () => this.close(), { once: true });
  }

  /** Ends every stream. */
  close(): void {
    for (const client of this.#clients) client.end();
    this.#clients.clear();
  }

  #open(res: Response, site: SiteContext): void {
    res.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    });
    res.write(": connected\n\n");
    this.#clients.add(res);
    res.once("close", () => this.#clients.delete(res));
    if (site.signal.aborted) this.close();
  }
}
