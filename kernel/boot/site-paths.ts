import { join } from "node:path";
import type { Paths, Settings } from "../contracts.js";

/** Absolute paths of a site, from its settings. */
export function sitePaths(root: string, settings: Settings): Paths {
  const { dataDir, runtimeDir } = settings.admin;
  return {
    root,
    content: join(root, readContentFolder(settings)),
    data: join(root, dataDir),
    runtime: join(root, runtimeDir),
    cache: join(root, ".dune", "cache"),
  };
}

/** `content.dir` when a plugin owns that key, else its default. */
function readContentFolder(settings: Settings): string {
  const section: unknown = "content" in settings.system ? settings.system["content"] : undefined;
  if (typeof section !== "object" || section === null || !("dir" in section)) return "content";
  return typeof section.dir === "string" ? section.dir : "content";
}
