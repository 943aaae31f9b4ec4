import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, type SiteContext } from "#kernel";
import { encodeAttribute } from "#lib/html";
import type {} from "../../search/contract.js";
import type { GeneratedFiles } from "../make/generated-files.js";
import type { BaseAddress } from "./addresses.js";

/** Folder of the index and its script, below the export. */
const FOLDER = "_site/search";
const SCRIPT = "search.js";

/** Markup for the head of search pages, by path; empty without search. */
export function searchHeads(
  site: SiteContext,
  { prefix }: BaseAddress,
): ReadonlyMap<string, string> {
  const address = encodeAttribute(`${prefix}/${FOLDER}/${SCRIPT}`);
  const head = `<script type="module" src="${address}"></script>`;
  return new Map(site.use("search", { optional: true })?.pages.map(({ path }) => [path, head]));
}

/**
 * Writes the search index and the script that reads it. Unchanged files of the last export stay;
 * when one of them is missing, everything is rebuilt.
 */
export async function exportSearch(
  site: SiteContext,
  made: GeneratedFiles,
  out: string,
): Promise<void> {
  const search = site.use("search", { optional: true });
  if (search === undefined) return;
  const file = stateFile(site, out);
  const state = await readState(file);
  let index = await search.exportIndex(state);
  const isWhole = index.kept.map((name) => made.keepText(`${FOLDER}/${name}`)).every(Boolean);
  if (!isWhole) index = await search.exportIndex(null);
  for (const [name, text] of index.files) await made.put(`${FOLDER}/${name}`, text, []);
  await made.put(`${FOLDER}/${SCRIPT}`, await search.exportScript());
  if (index.state !== state) await atomicWrite(file, JSON.stringify(index.state));
}

/** The state for the next export; each export folder has its own. */
function stateFile(site: SiteContext, out: string): string {
  const name = createHash("sha1").update(out).digest("hex").slice(0, 16);
  return join(site.paths.cache, "static", `search-${name}.json`);
}

async function readState(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch(() => null);
  try {
    return text === null ? null : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
