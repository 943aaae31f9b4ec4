/** Follows a folder of the site root whose files belong to one reader. */
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import { ContentWatcher } from "./watch.js";

/**
 * Reads a folder below the site root, which may be created later, once and again after each change, until
 * the site closes. `read`: true when the files differ from what was read before.
 */
export function followFolder(
  site: Pick<SiteContext, "lifecycle" | "log" | "paths" | "settings">,
  folder: string,
  read: () => Promise<boolean>,
): void {
  if (site.lifecycle.signal.aborted) return;
  const watcher = new ContentWatcher({
    root: join(site.paths.root, folder),
    isPolling: site.settings.system.content.watch === "poll",
    isOptional: true,
    log: site.log,
    onPaths: async () => void (await read()),
    onLost: read,
  });
  const started = watcher
    .start()
    .then(read)
    .catch((error: unknown) => site.log.error("content.watch_failed", { error: String(error) }));
  site.lifecycle.onClose(async () => {
    await watcher.close();
    await started;
  });
}
