import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { type Logger, atomicWrite, engineFailureFields } from "#kernel";
import { StoreGuard } from "#lib/stores";
import { BoundedMap } from "#lib/values";
import type { ImageEngine, ImageHeader, ImageSize } from "../contract.js";
import { MAX_INPUT_BYTES, TOO_MANY_BYTES } from "../engines/process-image.js";

/** Maximum bytes of an SVG to scan: its root element is at the beginning. */
const SVG_HEAD_BYTES = 4_096;

const pixelCount = z.int().positive();
const storedSize = z
  .object({ width: pixelCount, height: pixelCount, problem: z.string().optional() })
  .nullable();
/** Longest wait for the size of an image, in ms: longer than the process of images takes to be given up. */
const SIZE_MS = 35_000;
/** While the engine fails, most sizes are not requested. */
const SKIPPED = new Error("the image engine does not answer");
/** Changes with what is stored of a file. */
const BASIS = "with problems";

/** Options of the sizes. */
export interface ImageSizesOptions {
  /** Stores the sizes between two runs. */
  readonly file: string;
  /** Reads the size of an image; a plugin may have replaced it. */
  readonly engine: () => ImageEngine;
  readonly log: Logger;
}

/** Sizes of images by file, time and length; stored across restarts. */
export class ImageSizes {
  readonly #engine: () => ImageEngine;
  readonly #log: Logger;
  readonly #known: FileFacts<ImageHeader | null>;
  /** An engine that hangs must not hold up each image of each page. */
  readonly #guard = new StoreGuard({
    monotonic: () => performance.now(),
    limitMs: () => SIZE_MS,
    toError: (cause) => (cause instanceof Error ? cause : SKIPPED),
    onChange: () => undefined,
  });

  constructor({ file, engine, log }: ImageSizesOptions) {
    this.#engine = engine;
    this.#log = log;
    this.#known = new FileFacts<ImageHeader | null>({
      file,
      fact: storedSize,
      basis: BASIS,
      log,
    });
  }

  /** Pixels as displayed, and why it cannot be resized; null when the file is missing or not an image. */
  async of(file: string): Promise<ImageHeader | null> {
    const key = await keyOfFile(file);
    if (key === null) return null;
    const stored = await this.#known.get(key);
    if (stored !== undefined) return stored;
    try {
      const size = /\.svg$/i.test(file) ? await svgSize(file) : await this.#headerOf(file);
      this.#known.set(key, size);
      return size;
    } catch (error) {
      // The page is shown without the size, which is read again for the next rendering.
      if (error !== SKIPPED)
        this.#log.warn("media.size_failed", {
          file: basename(file),
          ...engineFailureFields(error),
        });
      return null;
    }
  }

  async #headerOf(file: string): Promise<ImageHeader | null> {
    const header = await this.#guard.run(async () => this.#engine().size(file));
    if (header === null || header.problem !== undefined) return header;
    const { size } = await stat(file);
    return size > MAX_INPUT_BYTES ? { ...header, problem: TOO_MANY_BYTES } : header;
  }

  /** Saves new sizes. */
  save(): Promise<void> {
    return this.#known.save();
  }
}

async function svgSize(file: string): Promise<ImageSize | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  const root = /<svg\b[^>]*>/i.exec(text.slice(0, SVG_HEAD_BYTES))?.[0];
  if (root === undefined) return null;
  const width = pixels(root, "width");
  const height = pixels(root, "height");
  if (width !== null && height !== null) return { width, height };
  const box = /\sviewBox\s*=\s*["']\s*[\d.+-]+[\s,]+[\d.+-]+[\s,]+([\d.]+)[\s,]+([\d.]+)/i.exec(
    root,
  );
  return box === null ? null : toSize(Number(box[1]), Number(box[2]));
}

function pixels(root: string, name: string): number | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`, "i").exec(root);
  const value = Math.round(Number(match?.[1]));
  return value > 0 ? value : null;
}

function toSize(width: number, height: number): ImageSize | null {
  const size = { width: Math.round(width), height: Math.round(height) };
  return size.width > 0 && size.height > 0 ? size : null;
}

/** Maximum number of files with facts. */
const MAX_FILES = 50_000;

/** Options of facts about files. */
export interface FileFactsOptions<T> {
  /** Stores the facts between two runs. */
  readonly file: string;
  /** The schema of a fact. */
  readonly fact: z.ZodType<T>;
  /** Settings that the facts depend on: stored facts are used with the same ones only. */
  readonly basis?: string;
  readonly log: Logger;
}

/** Facts that are expensive to find, by `keyOfFile`; stored across restarts. */
export class FileFacts<T> {
  readonly #options: FileFactsOptions<T>;
  // Not in site.cache: one file that is read when first needed, and written as a whole.
  readonly #facts = new BoundedMap<T>(MAX_FILES);
  #loaded: Promise<void> | null = null;
  #isChanged = false;

  constructor(options: FileFactsOptions<T>) {
    this.#options = options;
  }

  /** The fact; undefined when it is unknown. */
  async get(key: string): Promise<T | undefined> {
    await (this.#loaded ??= this.#load());
    return this.#facts.get(key);
  }

  set(key: string, fact: T): void {
    this.#facts.set(key, fact);
    this.#isChanged = true;
  }

  /** Saves new facts; after a failure the next run finds them again. */
  async save(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const { file, basis = "", log } = this.#options;
    try {
      await atomicWrite(file, JSON.stringify({ basis, facts: [...this.#facts.entries()] }));
    } catch (error) {
      log.warn("media.facts_not_saved", { file: basename(file), error: String(error) });
    }
  }

  async #load(): Promise<void> {
    const { file, fact, basis = "" } = this.#options;
    const shape = z.object({ basis: z.string(), facts: z.array(z.tuple([z.string(), fact])) });
    const stored = shape.safeParse(await readStored(file));
    if (!stored.success || stored.data.basis !== basis) return;
    for (const [key, value] of stored.data.facts) this.#facts.set(key, value);
  }
}

/** The key of a file in its present state; null when it is missing. */
export async function keyOfFile(file: string): Promise<string | null> {
  const stats = await stat(file).catch(() => null);
  return stats === null ? null : `${file}:${stats.mtimeMs}:${stats.size}`;
}

async function readStored(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return null;
  }
}
