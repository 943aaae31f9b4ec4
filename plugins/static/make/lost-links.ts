import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BaseAddress } from "../plan/addresses.js";
import type { ExportRun } from "../export-run.js";
import type { Manifest } from "../commit/manifest.js";
import { pageKey } from "../plan/page-key.js";
import { PageRewriter } from "./page-rewriter.js";

/** Dependencies of finding lost links. */
export interface LostLinkParts {
  out: string;
  place: BaseAddress;
  before: Manifest | null;
  run: ExportRun;
}

/**
 * Follows links of unchanged pages to files that this export would remove. The site then decides:
 * it still serves the target, or the link is broken. The pages are read only when a file would be
 * removed, so the manifest need not list every link.
 */
export async function followLostLinks({ out, place, before, run }: LostLinkParts): Promise<void> {
  const lost = lostKeys(before, run);
  if (lost.size === 0) return;
  const rewriter = new PageRewriter(place);
  const outputs = [...run.outputs];
  for (const [file, output] of outputs) {
    // The links of pages rendered in this run were already followed.
    if (before?.outputs.get(file) !== output || !file.endsWith(".html")) continue;
    const html = await readFile(join(out, file), "utf8");
    for (const target of rewriter.rewrite(html, output.url).links) {
      if (lost.has(pageKey(target))) run.follow(target, output.url);
    }
  }
}

/** Addresses that only the last export has. Variants follow from their pages. */
function lostKeys(before: Manifest | null, run: ExportRun): Set<string> {
  const lost = new Set<string>();
  for (const [file, { url, kind }] of before?.outputs ?? []) {
    const isAddress = kind === "page" || kind === "media";
    if (isAddress && !url.includes("?") && !run.has(file, url)) lost.add(pageKey(url));
  }
  return lost;
}
