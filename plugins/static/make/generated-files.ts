import { stat, writeFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { atomicWrite, type SiteContext } from "#kernel";
import { encodeAttribute } from "#lib/html";
import type { Freshness } from "../plan/plan-export.js";
import { hasApiFiles } from "../plan/site-urls.js";
import type { Manifest, Output } from "../commit/manifest.js";
import { digest } from "./page-exporter.js";
import type {} from "../../search/contract.js";
import type { BaseAddress } from "../plan/addresses.js";

/** Files that the export generates, written only when their bytes change. */
export class GeneratedFiles {
  readonly outputs = new Map<string, Output>();
  readonly moves: [staged: string, file: string][] = [];
  readonly #before: Manifest | null;
  readonly #freshness: Freshness;
  readonly #stage: string;

  /** `before`: the last export; `stage`: folder of new files. */
  constructor(before: Manifest | null, freshness: Freshness, stage: string) {
    this.#before = before;
    this.#freshness = freshness;
    this.#stage = stage;
  }

  /** Reuses the file of the last export if its inputs are unchanged; returns false otherwise. */
  keep(file: string): boolean {
    return this.#keep(file, (last) => this.#freshness.isFresh(file, last));
  }

  /** The same for a file that does not depend on the theme. */
  keepText(file: string): boolean {
    return this.#keep(file, (last) => this.#freshness.isFreshText(file, last));
  }

  #keep(file: string, isFresh: (last: Output) => boolean): boolean {
    const last = this.#before?.outputs.get(file);
    if (last === undefined || !isFresh(last)) return false;
    this.outputs.set(file, last);
    return true;
  }

  /** `reads`: tags of its inputs; null: generated in each run. */
  async put(
    file: string,
    body: string | Buffer,
    reads: readonly string[] | null = null,
  ): Promise<void> {
    const hash = digest(body);
    const last = this.#before?.outputs.get(file);
    if (last?.hash === hash && this.#freshness.isOnDisk(file, last)) {
      this.outputs.set(file, { ...last, reads });
      return;
    }
    const staged = `made-${this.moves.length}`;
    const path = join(this.#stage, staged);
    await writeFile(path, body);
    const { mtimeMs, size } = await stat(path);
    this.outputs.set(file, { ...GENERATED, url: `/${file}`, hash, size, mtimeMs, reads });
    this.moves.push([staged, file]);
  }
}

const GENERATED = {
  kind: "made",
  expiresAt: null,
  variants: [],
  inline: [],
} as const;

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
  generated: GeneratedFiles,
  out: string,
): Promise<void> {
  const search = site.use("search", { optional: true });
  if (search === undefined) return;
  const file = stateFile(site, out);
  const state = await readState(file);
  let index = await search.exportIndex(state);
  const isWhole = index.kept.map((name) => generated.keepText(`${FOLDER}/${name}`)).every(Boolean);
  if (!isWhole) index = await search.exportIndex(null);
  for (const [name, text] of index.files) await generated.put(`${FOLDER}/${name}`, text, []);
  await generated.put(`${FOLDER}/${SCRIPT}`, await search.exportScript());
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

/** Maximum number of pages per API response. */
const SLICE = 200;
const ALL_PAGES = "api/pages.json";

/** The list of all pages in one file: the slices of the API combined. */
export async function exportPageList(site: SiteContext, generated: GeneratedFiles): Promise<void> {
  if (!hasApiFiles(site)) return;
  if (generated.keep(ALL_PAGES)) return;
  const items: unknown[] = [];
  const reads = new Set<string>();
  for (let total = 1; items.length < total;) {
    const response = await site
      .use("static")
      .request(`/api/pages?limit=${SLICE}&offset=${items.length}`);
    const slice = parseSlice(response.body.toString());
    for (const tag of response.reads ?? []) reads.add(tag);
    if (response.status !== 200 || slice.items.length === 0) break;
    items.push(...slice.items);
    total = slice.meta.total;
  }
  const meta = { total: items.length, page: 1, pages: 1, limit: items.length };
  await generated.put(ALL_PAGES, JSON.stringify({ items, meta }), [...reads]);
}

function parseSlice(text: string): { items: unknown[]; meta: { total: number } } {
  // The site's own response, with the shape that its schema declares.
  return JSON.parse(text) as { items: unknown[]; meta: { total: number } };
}
