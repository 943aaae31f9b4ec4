import { readFileSync } from "node:fs";
import { escapeHtml, type SiteContext } from "#kernel";
import { reloadClient, runningFile, type RouteHandler } from "#kernel/internal";
import type { Head } from "../page/document/head.js";
import type { Mistakes } from "./mistakes.js";

const SCRIPT = "/_site/reload.js";
const PROBLEMS = "/_site/problems";

type Response = Parameters<RouteHandler>[1];

/** Notifies browsers of changes in dev mode, and shows the mistakes of the site. */
export class LiveReload {
  readonly #clients = new Set<Response>();

  /** Sends `reload` to every open page. */
  reload(): void {
    for (const client of this.#clients) client.write(reloadClient.message);
  }

  /** Registers its routes and adds its script to every page. */
  mount(site: SiteContext, { head, mistakes }: { head: Head; mistakes: Mistakes }): void {
    head.add(
      (req) => `<script src="${SCRIPT}" nonce="${escapeHtml(req.ctx.nonce())}" defer></script>`,
    );
    site.http.route({
      method: "get",
      path: SCRIPT,
      summary: "The script that reloads a page in dev mode",
      hidden: true,
      handler: (req, res) =>
        site.http.send(req, res, {
          type: "text/javascript; charset=utf-8",
          body:
            reloadClient.script +
            readFileSync(runningFile("plugins/render/client/overlay.js"), "utf8"),
        }),
    });
    site.http.route({
      method: "get",
      path: PROBLEMS,
      summary: "The mistakes of the site (dev mode)",
      hidden: true,
      handler: async (req, res) =>
        site.http.send(req, res, {
          // Only for the script above, and no part of the API.
          type: "text/plain; charset=utf-8",
          body: JSON.stringify({ mistakes: await mistakes.list() }),
          headers: { "Cache-Control": "no-store" },
        }),
    });
    site.http.route({
      method: "get",
      path: reloadClient.events,
      summary: "Says when a page is to be reloaded (server-sent events, dev mode)",
      hidden: true,
      handler: (_req, res) => this.#open(res, site),
    });
    // Closing waits for open requests, and a stream would never end by itself.
    site.lifecycle.signal.addEventListener("abort", () => this.close(), { once: true });
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
    res.write(reloadClient.opening);
    this.#clients.add(res);
    res.once("close", () => this.#clients.delete(res));
    if (site.lifecycle.signal.aborted) this.close();
  }
}
