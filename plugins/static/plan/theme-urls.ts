import type { SiteContext } from "#kernel";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type {} from "../../render/contract.js";
import { encodePath } from "./site-urls.js";

/** Addresses of the files of the active themes: styles, scripts, fonts. */
export function themeUrls(site: SiteContext): string[] {
  return site
    .use("render")
    .themes.flatMap(({ name, folder }) =>
      filesIn(join(folder, "static"), "").map((path) =>
        encodePath(`/themes/${name}/static/${path}`),
      ),
    );
}

function filesIn(folder: string, prefix: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = prefix + entry.name;
    if (entry.isDirectory()) return filesIn(join(folder, entry.name), `${path}/`);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
  } catch {
    return [];
  }
}
