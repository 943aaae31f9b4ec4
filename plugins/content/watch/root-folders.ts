import { isAbsolute, join, relative, sep } from "node:path";
import { expectFields, expectKind, type SiteContext, type ValueCheck } from "#kernel";
import { followFolder } from "./follow-folder.js";

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
