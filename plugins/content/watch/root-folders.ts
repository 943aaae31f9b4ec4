/** Follows folders of the site root that plugins, or page types, read themselves. */
import { isAbsolute, join, relative, sep } from "node:path";
import { expectFields, expectKind, type SiteContext, type ValueCheck } from "#kernel";
import { ContentWatcher } from "./watch.js";

/** Time limit of one reading, in ms. */
const READ_LIMIT_MS = 30_000;

const isText = expectKind("string");

/** Follows the folders of the site root that plugins read themselves, once the site is ready. */
export function followRootFolders(
  site: Pick<SiteContext, "extensions" | "lifecycle" | "log" | "paths" | "settings">,
): void {
  const { root } = site.paths;
  const isFolder: ValueCheck = (folder) => {
    if (typeof folder !== "string") return isText(folder);
    const below = relative(root, join(root, folder));
    const isBelow = below !== "" && below !== ".." && !below.startsWith(`..${sep}`);
    return isBelow && !isAbsolute(folder)
      ? null
      : `expected a folder below the site root, received ${JSON.stringify(folder)}`;
  };
  const folders = site.extensions.open("rootFolders", {
    check: expectFields({ folder: isFolder, read: ["function"] }),
    fix: 'name a folder relative to the site root, and read it in a function: { folder: "menus", read: async () => true }',
    result: expectKind("boolean"),
    limitMs: READ_LIMIT_MS,
  });
  site.lifecycle.afterReady(() => {
    for (const contribution of folders.all) {
      followFolder(site, contribution.value.folder, () =>
        contribution.call(
          (folder) => folder.read(),
          () => false,
        ),
      );
    }
  });
}

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
