import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  escapeHtml,
  failureFields,
  type Logger,
  type RouteHandler,
  type SiteContext,
} from "#kernel";
import { reloadClient } from "#lib/http";
import { runningFile } from "#lib/packages";
import { FolderWatchers } from "#lib/files";
import { runAtOnce } from "#lib/concurrency";
import type { Head } from "../page/head.js";
import { SIDEBAR_FILE } from "../reading/sidebar-file.js";
import type { ThemeHolder } from "../theme/active-theme.js";
import type { Mistakes } from "./mistakes.js";

const SCRIPT = "/_site/reload.js";
const PROBLEMS = "/_site/problems";

type Response = Parameters<RouteHandler>[1];

/** Watches the site in dev mode; after a change, open pages reload and show its mistakes. */
export function reloadOnChange(
  site: SiteContext,
  holder: ThemeHolder,
  head: Head,
  mistakes: Mistakes,
): void {
  const live = new LiveReload();
  live.mount(site, head, mistakes);
  const changed = (): void => {
    mistakes.clear();
    live.reload();
  };
  site.hooks.on("onRebuild", changed);
  // Files beside the content: page types, forms, synonyms.
  site.changes.react("render.dev", ({ changes, isFound }) => {
    if (isFound && changes.length === 0) changed();
  });
  site.lifecycle.onClose(site.runtime.onOutdated(() => live.reload()));
  site.lifecycle.onReady(() => {
    const { root } = site.paths;
    const ends = watchFile({ root, name: SIDEBAR_FILE, changed, log: site.log });
    site.lifecycle.onClose(ends);
    const stop = watchTheme({
      folders: holder.active.chain.map((theme) => theme.folder),
      changed: async () => {
        // Pages reload after a mistake too: they show it.
        try {
          await mistakes.watch("theme", () => holder.reload());
          mistakes.clear();
        } finally {
          live.reload();
        }
      },
      log: site.log,
    });
    site.lifecycle.onClose(stop);
  });
}

/** Notifies browsers of changes in dev mode, and shows the mistakes of the site. */
class LiveReload {
  readonly #clients = new Set<Response>();

  /** Sends `reload` to every open page. */
  reload(): void {
    for (const client of this.#clients) client.write(reloadClient.message);
  }

  /** Registers its routes and adds its script to every page. */
  mount(site: SiteContext, head: Head, mistakes: Mistakes): void {
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

/** Dependencies of watching. */
interface WatchOptions {
  folders: readonly string[];
  /** Reloads the theme; errors are logged and the old theme stays active. */
  changed: () => Promise<void>;
  log: Logger;
}

// Editors write a file in several steps; one reload is enough.
const SETTLE_MS = 60;

/** Watches theme folders (dev mode). Returns a function that stops it. */
export function watchTheme({ folders, changed, log }: WatchOptions): () => void {
  const react = settled(() =>
    changed().catch((error: unknown) =>
      log.error("render.theme_reload_failed", { ...failureFields(error) }),
    ),
  );
  const watchers = folders.map((root) => watchFolder(root, log, react));
  return () => watchers.forEach((one) => one.close());
}

/** A file of a folder, which may be created later. */
interface WatchedFile {
  root: string;
  name: string;
  changed: () => void;
  log: Logger;
}

/** Watches a file (dev mode). Returns a function that stops it. */
export function watchFile({ root, name, changed, log }: WatchedFile): () => void {
  const react = settled(changed);
  const warn = (error: unknown): void => {
    log.warn("render.file_watch_failed", { file: name, error: String(error) });
  };
  const watchers = new FolderWatchers({
    root,
    isWatched: (path) => path === "",
    onPath: (path) => path === name && react(),
    onError: warn,
    onUnreadable: warn,
  });
  runAtOnce(watchers.add(""));
  return () => watchers.close();
}

/** Calls `work` once for several calls in a short time. */
function settled(work: () => unknown): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    void sleep(SETTLE_MS).then(() => {
      isScheduled = false;
      return work();
    });
  };
}

function watchFolder(root: string, log: Logger, react: () => void): FolderWatchers {
  const warn = (error: unknown): void => {
    log.warn("render.theme_watch_failed", { error: String(error) });
  };
  const watchers = new FolderWatchers({
    root,
    followsLinks: true,
    isWatched: (path) => !isHidden(path),
    onPath: (path) => {
      if (path === "" || isHidden(path)) return;
      runAtOnce(watchers.follow(path));
      react();
    },
    onError: warn,
    onUnreadable: (path) => warn(`${root}/${path} cannot be read`),
  });
  runAtOnce(watchers.add(""));
  return watchers;
}

/** Temporary files of editors, and those of git. */
function isHidden(path: string): boolean {
  return basename(path).startsWith(".");
}
