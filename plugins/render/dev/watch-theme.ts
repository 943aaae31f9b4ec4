import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "#kernel";

/** Dependencies of watching. */
export interface WatchOptions {
  folders: readonly string[];
  /** Reloads the theme; errors are logged and the old theme stays active. */
  changed: () => Promise<void>;
  log: Logger;
}

// Editors write a file in several steps; one reload is enough.
const SETTLE_MS = 60;

/** Watches theme folders (dev mode). Resolves with a function that stops it. */
export async function watchTheme({
  folders,
  changed,
  log,
}: WatchOptions): Promise<() => Promise<void>> {
  const { watch } = await import("chokidar");
  const watcher = watch([...folders], { ignoreInitial: true, ignored: /(?:^|[/\\])\.[^/\\]+$/ });
  let isScheduled = false;
  const react = async (): Promise<void> => {
    if (isScheduled) return;
    isScheduled = true;
    await sleep(SETTLE_MS);
    isScheduled = false;
    await changed().catch((error: unknown) =>
      log.error("theme.reload.failed", { error: String(error) }),
    );
  };
  watcher.on("all", () => void react());
  watcher.on("error", (error) => log.warn("theme.watch.failed", { error: String(error) }));
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  return () => watcher.close();
}
