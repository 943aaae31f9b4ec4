import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { atomicWrite, type Logger } from "#kernel";
import { LRUCache } from "lru-cache";
import type { ImageEngine, ImageSize } from "../contract.js";

/** Maximum number of cached image sizes. */
const MAX_IMAGES = 50_000;
/** Maximum bytes of an SVG to scan: its root element is at the beginning. */
const SVG_HEAD_BYTES = 4_096;

/** Sizes of images by file, time and length; stored across restarts. */
export class ImageSizes {
  readonly #file: string;
  readonly #engine: () => ImageEngine;
  readonly #log: Logger;
  // Not in site.cache: one file that is read at startup and written as a whole.
  readonly #known = new LRUCache<string, { size: ImageSize | null }>({
    // As a size: `max` would allocate at once, which takes longer than the rest of startup.
    maxSize: MAX_IMAGES,
    sizeCalculation: () => 1,
  });
  #loaded: Promise<void> | null = null;
  #isChanged = false;

  /** `file` stores the sizes between two runs. */
  constructor(options: { file: string; engine: () => ImageEngine; log: Logger }) {
    this.#file = options.file;
    this.#engine = options.engine;
    this.#log = options.log;
  }

  /** Pixels as displayed; null when the file is missing or not an image. */
  async of(file: string): Promise<ImageSize | null> {
    await (this.#loaded ??= this.#load());
    const stats = await stat(file).catch(() => null);
    if (stats === null) return null;
    const key = `${file}:${stats.mtimeMs}:${stats.size}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known.size;
    try {
      const size = /\.svg$/i.test(file) ? await svgSize(file) : await this.#engine().size(file);
      this.#known.set(key, { size });
      this.#isChanged = true;
      return size;
    } catch (error) {
      // The page is shown without the size, which is read again for the next rendering.
      this.#log.warn("media.size_failed", { file: basename(file), error: String(error) });
      return null;
    }
  }

  /** Saves new sizes; after a failure the next startup only takes longer. */
  async save(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const rows = [...this.#known.entries()].map(([key, { size }]) => [
      key,
      size?.width ?? 0,
      size?.height ?? 0,
    ]);
    try {
      await atomicWrite(this.#file, JSON.stringify(rows));
    } catch (error) {
      this.#log.warn("media.sizes_not_saved", { error: String(error) });
    }
  }

  async #load(): Promise<void> {
    const text = await readFile(this.#file, "utf8").catch(() => "[]");
    for (const row of parseRows(text)) {
      const [key, width, height] = row;
      this.#known.set(key, { size: width > 0 ? { width, height } : null });
    }
  }
}

type Row = [key: string, width: number, height: number];

function parseRows(text: string): Row[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRow) : [];
  } catch {
    return [];
  }
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value)) return false;
  const [key, width, height] = value;
  return typeof key === "string" && Number.isInteger(width) && Number.isInteger(height);
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
  const found = new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`, "i").exec(root);
  const value = Math.round(Number(found?.[1]));
  return value > 0 ? value : null;
}

function toSize(width: number, height: number): ImageSize | null {
  const size = { width: Math.round(width), height: Math.round(height) };
  return size.width > 0 && size.height > 0 ? size : null;
}
