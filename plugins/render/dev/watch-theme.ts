import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "#kernel";
import { failureFields, FolderWatchers, runAtOnce } from "#kernel/internal";

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
  const react = settled(() =>
    changed().catch((error: unknown) =>
      log.error("render.theme_reload_failed", { ...failureFields(error) }),
    ),
  );
  const watchers = folders.map((root) => watchFolder(root, { log, react }));
  return () => watchers.forEach((one) => one.close());
}

/** A file of a folder, which may be created later. */
export interface WatchedFile {
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
