import { createHash } from "node:crypto";
import { z } from "zod";
import type { Caches, CacheSpace } from "#kernel";
import { sha256 } from "#kernel/internal";
import type { Rendered } from "../contract.js";
import type { RenderedFiles } from "./rendered-files.js";
import { PIPELINE_VERSION, type Facts, type RenderOptions } from "./render-options.js";

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
export function renderKey(source: string, options: RenderOptions, place: string): string {
  const { extra, autoLinks, autoUrlLinks, orphans, trusted } = options;
  const { shortcodes = [], addresses = false, syntax = [], lang = "" } = options;
  const flags = [PIPELINE_VERSION, extra, autoLinks, autoUrlLinks, orphans, trusted, place];
  if (shortcodes.length > 0 || addresses) flags.push(addresses, ...shortcodes);
  if (syntax.length > 0) flags.push(lang, "syntax", ...syntax);
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
