import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "#kernel";
import { FolderWatchers, runAtOnce } from "#kernel/internal";

/** Dependencies of watching. */
export interface WatchOptions {
  folders: readonly string[];
  /** Reloads the theme; errors are logged and the old theme stays active. */
  changed: () => Promise<void>;
  log: Logger;
}

// Editors write a file in several steps; one reload is enough.
const SETTLE_MS = 60;

/** Watches theme folders (dev mode). Returns a function that stops it. */
export function watchTheme({ folders, changed, log }: WatchOptions): () => void {
  let isScheduled = false;
  const react = async (): Promise<void> => {
    if (isScheduled) return;
    isScheduled = true;
    await sleep(SETTLE_MS);
    isScheduled = false;
    await changed().catch((error: unknown) =>
      log.error("render.theme_reload_failed", { error: String(error) }),
    );
  };
  const watchers = folders.map((root) => watchFolder(root, { log, react: () => void react() }));
  return () => watchers.forEach((one) => one.close());
}

function watchFolder(root: string, { log, react }: { log: Logger; react(): void }): FolderWatchers {
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
