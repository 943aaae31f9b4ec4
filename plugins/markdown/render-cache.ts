import { createHash } from "node:crypto";
import { z } from "zod";
import type { Caches, CacheSpace } from "#kernel";
import type { Rendered } from "./contract.js";
import type { KeptFiles } from "./kept-files.js";
import { PIPELINE_VERSION, type Facts, type RenderOptions } from "./render-options.js";

const MAX_BYTES = 16 * 1024 * 1024;

/** Rendered HTML with the references it holds and what they led to when it was made. */
export interface KeptRender {
  rendered: Rendered;
  references: readonly string[];
  /** Digest of the facts: other facts, other HTML. */
  facts: string;
}

const keptSchema = z.object({
  rendered: z.object({
    html: z.string(),
    headings: z.array(z.object({ level: z.number(), id: z.string(), text: z.string() })),
  }),
  references: z.array(z.string()),
  facts: z.string(),
});

/** The key of a body's HTML: nothing of a request is in it. */
export function renderKey(source: string, options: RenderOptions, place: string): string {
  const { extra, autoLinks, autoUrlLinks, orphans, trusted } = options;
  const flags = [PIPELINE_VERSION, extra, autoLinks, autoUrlLinks, orphans, trusted, place];
  return createHash("sha256").update(JSON.stringify(flags)).update(source).digest("hex");
}

/** Digest of facts, in the order of the references. */
export function factsDigest(references: readonly string[], facts: Facts): string {
  const rows = references.map((reference) => facts.get(reference) ?? null);
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
}

/** Rendered bodies by key: the recent ones in memory, all of them as files that outlive a restart. */
export class RenderCache {
  readonly #recent: CacheSpace<KeptRender>;
  readonly #files: KeptFiles;
  readonly #writing = new Set<Promise<void>>();

  constructor(files: KeptFiles, caches: Pick<Caches, "open">) {
    this.#files = files;
    this.#recent = caches.open<KeptRender>("rendered-bodies", {
      ...{ maxBytes: MAX_BYTES, untagged: true },
      sizeOf: ({ rendered }) => rendered.html.length + 300,
    });
  }

  /** In memory, without waiting. */
  peek(key: string): KeptRender | undefined {
    return this.#recent.peek(key);
  }

  /** From its file; a missing or damaged one is undefined. */
  async read(key: string): Promise<KeptRender | undefined> {
    const text = await this.#files.read(key);
    const kept = text === null ? null : keptSchema.safeParse(parsed(text)).data;
    if (!kept) return undefined;
    this.#recent.set(key, kept);
    return kept;
  }

  /** Keeps HTML in memory and in a file. Without fsync: a file lost in a crash is made again. */
  write(key: string, kept: KeptRender): Promise<void> {
    this.#recent.set(key, kept);
    const writing = this.#files
      .write(key, JSON.stringify(kept))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return writing;
  }

  /** Resolves when every file begun so far is written or has failed. */
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
