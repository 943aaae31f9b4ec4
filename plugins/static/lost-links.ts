import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./addresses.js";
import type { ExportRun } from "./export-run.js";
import type { Manifest, Output } from "./manifest.js";
import { pageKey } from "./page-key.js";
import { PageRewriter } from "./page-rewriter.js";

/** What looking for lost links needs. */
export interface LostLinkParts {
  out: string;
  place: Place;
  /** Files that this export takes away. */
  removes: readonly string[];
  before: Manifest | null;
  run: ExportRun;
}

/**
 * Notes links of pages that stayed as they were to what is no longer there. Only when something goes
 * are those pages looked through: no record of all links has to be kept.
 */
export async function noteLostLinks(parts: LostLinkParts): Promise<void> {
  const { out, place, removes, before, run } = parts;
  const lost = new Set(removes.flatMap((file) => addressOf(before?.outputs.get(file))));
  if (lost.size === 0) return;
  const rewriter = new PageRewriter(place);
  for (const [file, output] of run.outputs) {
    // What was made in this run has told its links already.
    if (before?.outputs.get(file) !== output || !file.endsWith(".html")) continue;
    const html = await readFile(join(out, file), "utf8");
    for (const target of rewriter.rewrite(unprefixed(html, place), output.url).links) {
      const key = pageKey(target);
      if (!lost.has(key)) continue;
      run.links.note(key, output.url);
      run.links.missing(key);
    }
  }
}

/** Where a file could be linked to; what the export makes for itself (search, files of hosts) is not. */
function addressOf(output: Output | undefined): string[] {
  return output === undefined || output.kind === "made" ? [] : [pageKey(output.url)];
}

/** The export's own pages have the path of the base URL in their links. */
function unprefixed(html: string, { prefix }: Place): string {
  return prefix === "" ? html : html.replaceAll(`="${prefix}/`, '="/');
}
