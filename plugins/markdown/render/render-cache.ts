import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Caches, CacheSpace } from "#kernel";
import { sha256 } from "#lib/secrets";
import { errorCode } from "#lib/errors";
import { makeFolder, PRIVATE_FILE, PRIVATE_FOLDER, temporaryBeside } from "#lib/files";
import type { Rendered } from "../contract.js";
import { PIPELINE_VERSION, type Facts, type RenderOptions } from "./render-job.js";

const MAX_BYTES = 16 * 1024 * 1024;

/** Rendered HTML with its references and the digest of their facts. */
export interface CachedRender {
  rendered: Rendered;
  references: readonly string[];
  /** Digest of the facts; different facts need new HTML. */
  facts: string;
}

const cachedSchema = z.object({
  rendered: z.object({
    html: z.string(),
    headings: z.array(z.object({ level: z.number(), id: z.string(), text: z.string() })),
  }),
  references: z.array(z.string()),
  facts: z.string(),
});

/** The cache key of a body's HTML; independent of the request. */
export function renderKey(source: string, options: RenderOptions, location: string): string {
  const { extra, autoLinks, autoUrlLinks, orphans, trusted } = options;
  const { shortcodes = [], addresses = false, syntax = [], lang = "", structure } = options;
  const flags = [PIPELINE_VERSION, extra, autoLinks, autoUrlLinks, orphans, trusted, location];
  if (shortcodes.length > 0 || addresses) flags.push(addresses, ...shortcodes);
  if (syntax.length > 0) flags.push(lang, "syntax", ...syntax);
  if (structure === true) flags.push("structure");
  return createHash("sha256").update(JSON.stringify(flags)).update(source).digest("hex");
}

/** Digest of the facts, in the order of the references. */
export function factsDigest(references: readonly string[], facts: Facts): string {
  const rows = references.map((reference) => facts.get(reference) ?? null);
  return sha256(JSON.stringify(rows));
}

/** A cache of rendered bodies: recent ones in memory, all of them in files. */
export class RenderCache {
  readonly #recent: CacheSpace<CachedRender>;
  readonly #files: RenderedFiles;
  readonly #writing = new Set<Promise<void>>();

  constructor(files: RenderedFiles, caches: Pick<Caches, "open">) {
    this.#files = files;
    this.#recent = caches.open<CachedRender>("rendered-bodies", {
      maxBytes: MAX_BYTES,
      untagged: true,
      sizeOf: ({ rendered }) => rendered.html.length + 300,
    });
  }

  /** Reads from memory only. */
  peek(key: string): CachedRender | undefined {
    return this.#recent.peek(key);
  }

  /** Reads the file; undefined when it is missing or damaged. */
  async read(key: string): Promise<CachedRender | undefined> {
    const text = await this.#files.read(key);
    const cached = text === null ? null : cachedSchema.safeParse(parsed(text)).data;
    if (!cached) return undefined;
    this.#recent.set(key, cached);
    return cached;
  }

  /** Writes to memory only. */
  keep(key: string, cached: CachedRender): void {
    this.#recent.set(key, cached);
  }

  /** Writes to memory and to a file, without fsync: a file lost in a crash is rendered again. */
  write(key: string, cached: CachedRender): Promise<void> {
    this.#recent.set(key, cached);
    const writing = this.#files
      .write(key, JSON.stringify(cached))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return writing;
  }

  /** Resolves when all pending writes have completed or failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const KEEP_MS = 30 * 24 * 3600 * 1000;
const PRUNE_EVERY_MS = 24 * 3600 * 1000;
/** A file whose modification time is the time of the last pruning. */
const PRUNED = "pruned";

/** Options of the file cache. */
interface RenderedFilesOptions {
  /** May be deleted at any time. */
  folder: string;
  /** True when no requests are served (export): synchronous writes save two promises per page. */
  isExport: boolean;
}

/** A persistent text cache, one file per key. */
export class RenderedFiles {
  readonly #folder: string;
  readonly #isExport: boolean;
  #pruned: Promise<void> | null = null;

  constructor({ folder, isExport }: RenderedFilesOptions) {
    this.#folder = folder;
    this.#isExport = isExport;
  }

  /** The cached text; null when it is missing or unreadable. */
  async read(key: string): Promise<string | null> {
    if (!this.#isExport) return readFile(this.#file(key), "utf8").catch(() => null);
    try {
      return readFileSync(this.#file(key), "utf8");
    } catch {
      return null;
    }
  }

  /** Without fsync: a file lost in a crash is rendered again. */
  async write(key: string, text: string): Promise<void> {
    await (this.#pruned ??= this.#prune());
    const file = this.#file(key);
    const temporary = temporaryBeside(file);
    if (this.#isExport) return this.#writeNow(file, temporary, text);
    await makeFolder(dirname(file));
    await writeFile(temporary, text, { mode: PRIVATE_FILE });
    await rename(temporary, file);
  }

  #writeNow(file: string, temporary: string, text: string): void {
    try {
      writeFileSync(temporary, text, { mode: PRIVATE_FILE });
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      // Checking first whether the folder exists would cost as much as creating it.
      mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
      writeFileSync(temporary, text, { mode: PRIVATE_FILE });
    }
    renameSync(temporary, file);
  }

  #file(key: string): string {
    return join(this.#folder, key.slice(0, 2), `${key.slice(2)}.json`);
  }

  // Deletes files unused for a month, at most once a day: checking ten thousand files costs more
  // than exporting a page.
  async #prune(): Promise<void> {
    const mark = join(this.#folder, PRUNED);
    const now = Date.now();
    const last = await stat(mark).catch(() => null);
    if (last !== null && Math.abs(now - last.mtimeMs) < PRUNE_EVERY_MS) return;
    const names = await readdir(this.#folder, { recursive: true }).catch(() => []);
    for (const name of names) {
      const file = join(this.#folder, name);
      const facts = await stat(file).catch(() => null);
      if (facts?.isFile() && facts.mtimeMs < now - KEEP_MS) await rm(file, { force: true });
    }
    await makeFolder(this.#folder);
    await writeFile(mark, "", { mode: PRIVATE_FILE });
  }
}
