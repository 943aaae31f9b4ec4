/** Imports sources into a small site through the command. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { importCommand } from "../../../plugins/import/commands.js";
import { bootSite, type TestSite } from "./boot-site.js";
import { runCommand } from "./check-site.js";

/** A site without pages; sources are written below its root. */
export function bootEmpty(
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<TestSite> {
  return bootSite({
    files: { "content/.keep": "", ...files },
    plugins: ["content", "check", "outbound", "media", "render", "users", "flex", "import"],
  });
}

/** Runs `site import`; `source` is relative to the root of the site. */
export function runImport(
  site: TestSite,
  [from, source]: readonly [string, string],
  options: Record<string, unknown> = {},
) {
  return runCommand(site, importCommand, { args: [from, join(site.root, source)], options });
}

/** The text of a file below `content/`. */
export function contentOf(site: TestSite, path: string): Promise<string> {
  return readFile(join(site.root, "content", path), "utf8");
}
