import { basename } from "node:path";
import { z } from "zod";
import { SiteError, type Caches, type CacheSpace, type Logger, engineFailureFields } from "#kernel";
import { WorkQueue } from "#lib/concurrency";
import { imageFormatOf } from "#lib/files";
import type {
  ImagesSection,
  ImageSize,
  ImageSources,
  ImageFormat,
  SrcsetOptions,
  ImageHeader,
} from "../contract.js";
import { FileFacts, keyOfFile } from "./image-sizes.js";
import type { Variants } from "./variants.js";
import { normaliseVariant } from "./variant.js";

/** Bytes of all sources by URL: those of some 10,000 images. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Images that wait to be measured. */
const MAX_WAITING = 50_000;
const MAX_WAIT_MS = 60 * 60 * 1000;
const NOTHING: Measured = { formats: [], color: null, problem: null };

const storedMeasurement = z.object({
  formats: z.array(z.enum(["avif", "webp"])),
  color: z.string().nullable(),
  problem: z.string().nullable(),
});

/** Dependencies of the sources. */
export interface ImageSourcesOptions {
  /** Stores what was measured between two runs. */
  readonly file: string;
  readonly images: ImagesSection;
  readonly variants: Variants;
  readonly cache: Pick<Caches, "open">;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** True: pages wait for the measurement (an export renders each page once). */
  readonly waits: boolean;
  /** Called after an image was measured. */
  onMeasured(url: string): void;
}
/** An image of a page. */
export interface ShownImage {
  readonly url: string;
  /** Absolute path. */
  readonly file: string;
  readonly size: ImageSize;
  readonly srcset: string;
}

/** The formats and colours of images: measured once per file in the background, one at a time. */
export class ImageSourceList {
  readonly #options: ImageSourcesOptions;
  readonly #measured: FileFacts<Measured>;
  readonly #byUrl: CacheSpace<ImageSources | "pending">;
  readonly #running = new Map<string, Promise<void>>();
  readonly #queue = new WorkQueue({
    concurrency: 1,
    length: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    busy: () => new SiteError("ERR_MEDIA_BUSY", "too many images wait to be measured"),
  });

  constructor(options: ImageSourcesOptions) {
    this.#options = options;
    const { file, images, log } = options;
    const basis = serializeSettings(images);
    this.#measured = new FileFacts<Measured>({ file, fact: storedMeasurement, basis, log });
    this.#byUrl = options.cache.open("image-sources", {
      maxBytes: MAX_BYTES,
      untagged: true,
      sizeOf: (value) => (value === "pending" ? 100 : 200 + 2 * value.srcset.length),
    });
  }

  /** The sources of a URL that was noted. */
  at(url: string): ImageSources | "pending" | null {
    return this.#byUrl.peek(url) ?? null;
  }

  /** Why an image that was noted and measured cannot be resized; null when it can, or when that is not known. */
  problemOf(url: string): string | null {
    const measured = this.at(url);
    return measured === null || measured === "pending" ? null : measured.problem;
  }

  /** Notes an image that a page shows, and has it measured unless that was done. */
  async note(image: ShownImage): Promise<void> {
    const key = await keyOfFile(image.file);
    if (key === null) return;
    const measured = await this.#measured.get(key);
    if (measured !== undefined) return this.#show(image, measured);
    this.#byUrl.set(image.url, "pending");
    const running = this.#running.get(key) ?? this.#start(key, image);
    if (this.#options.waits) await running;
  }

  /** Waits for the images that are being measured, which `signal` stops, and saves the results. */
  async close(): Promise<void> {
    await Promise.all(this.#running.values());
    await this.#measured.save();
  }

  #start(key: string, image: ShownImage): Promise<void> {
    const running = this.#queue
      .run(() => this.#measure(key, image))
      .catch((error: unknown) => this.#onFailure(image, error))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  async #measure(key: string, image: ShownImage): Promise<void> {
    const { images, variants, signal } = this.#options;
    signal.throwIfAborted();
    const { allowed_sizes: allowedSizes, default_quality: quality } = images;
    const { pictures, placeholders } = images;
    const task = { allowedSizes, quality, pictures, placeholders, signal };
    const measured = await measureImage(variants, { ...image, ...task }).catch(unlessDamaged);
    // The file may have been replaced meanwhile.
    if ((await keyOfFile(image.file)) !== key) return;
    this.#measured.set(key, measured);
    this.#show(image, measured);
    this.#options.onMeasured(image.url);
  }

  #show({ url, size, srcset: own }: ShownImage, { formats, color, problem }: Measured): void {
    const allowed = this.#options.images.allowed_sizes;
    const sources = formats.map((format) => ({
      type: `image/${format}`,
      srcset: srcset(url, allowed, {
        width: size.width,
        format,
        quality: sourceQuality(format, this.#options.images.default_quality),
      }),
    }));
    this.#byUrl.set(url, { srcset: own, sources, color, problem });
  }

  /** Pages show the plain image, and the next state of its folder measures it again. */
  #onFailure(image: ShownImage, error: unknown): void {
    this.#show(image, NOTHING);
    if (this.#options.signal.aborted) return;
    this.#options.log.warn("media.sources_failed", {
      file: basename(image.file),
      ...engineFailureFields(error),
    });
  }
}

/** The settings that measurements depend on. */
function serializeSettings(images: ImagesSection): string {
  const { allowed_sizes, default_quality, pictures, placeholders } = images;
  const avif = sourceQuality("avif", default_quality);
  return JSON.stringify([allowed_sizes, default_quality, avif, pictures, placeholders]);
}

/** A damaged image has no variants, and is not measured again. */
function unlessDamaged(error: unknown): Measured {
  if (error instanceof SiteError && error.code === "ERR_MEDIA_IMAGE") {
    return { ...NOTHING, problem: error.message };
  }
  throw error;
}

/** The width at which formats are compared, in pixels: that of a phone or a card. */
const COMPARED_WIDTH = 640;

/** Formats that replace others in a `<picture>`. */
type SourceFormat = "avif" | "webp";

/** AVIF of this part of the quality number is as similar to the original as WebP (SSIM, measured). */
const AVIF_QUALITY = 0.75;

/** The quality of a format's variants in a `<picture>`; undefined: the default. */
function sourceQuality(format: ImageFormat, quality: number): number | undefined {
  return format === "avif" ? Math.max(1, Math.round(quality * AVIF_QUALITY)) : undefined;
}

/** The result of measuring an image. */
interface Measured {
  /** Formats that are smaller than the image's own, the smallest first. */
  readonly formats: readonly SourceFormat[];
  /** Dominant colour; null: transparent, or unknown. */
  readonly color: string | null;
  /** Why the image cannot be resized; null when it can. */
  readonly problem: string | null;
}

/** An image to measure, and the settings that count. */
interface Measurement {
  readonly file: string;
  /** Size of the original. */
  readonly size: ImageSize;
  readonly allowedSizes: readonly number[];
  readonly quality: number;
  readonly pictures: boolean;
  readonly placeholders: boolean;
  readonly signal: AbortSignal;
}

/** Candidates by the format of the original. An animation stays one only as GIF and WebP. */
const CANDIDATES: Readonly<Record<ImageFormat, readonly SourceFormat[]>> = {
  jpeg: ["avif", "webp"],
  png: ["avif", "webp"],
  webp: ["avif"],
  avif: [],
  gif: [],
};

/**
 * Compares the bytes of an image's formats at one width. The variants are stored, and pages request
 * them.
 * @throws the errors of `Variants.get`, and a 404 for a file that was deleted.
 */
async function measureImage(variants: Variants, task: Measurement): Promise<Measured> {
  const look = await variants.look(task.file, task.signal);
  const format = imageFormatOf(basename(task.file)) ?? "gif";
  const mayMove = look === null ? format === "webp" : look.frames > 1;
  return {
    formats: task.pictures && !mayMove ? await smallerFormats(variants, task, format) : [],
    color: task.placeholders && look !== null && look.frames === 1 ? look.color : null,
    problem: null,
  };
}

async function smallerFormats(
  variants: Variants,
  { file, size, allowedSizes, quality, signal }: Measurement,
  own: ImageFormat,
): Promise<SourceFormat[]> {
  const width = comparedWidth(size, allowedSizes);
  const bytesAs = async (format: ImageFormat, ofSource?: number): Promise<number> => {
    const other = { height: null, fit: null, focal: null };
    const asked = { ...other, width, format, quality: ofSource ?? null };
    const variant = normaliseVariant(asked, { format: own, quality });
    const answer = await variants.get({ file, variant, ip: null, left: signal });
    // The engine replaces a format that does not support the size.
    const isThat = answer?.image.type === `image/${format}`;
    return answer !== null && isThat ? answer.image.bytes.length : Number.POSITIVE_INFINITY;
  };
  const chosen: SourceFormat[] = [];
  let largest = await bytesAs(own);
  // Backwards: a browser that reads AVIF reads WebP too, so AVIF must be smaller than it.
  for (const format of CANDIDATES[own].toReversed()) {
    const bytes = await bytesAs(format, sourceQuality(format, quality));
    if (bytes >= largest) continue;
    chosen.unshift(format);
    largest = bytes;
  }
  return chosen;
}

function comparedWidth({ width }: ImageSize, allowedSizes: readonly number[]): number | null {
  const possible = allowedSizes.filter((one) => one <= width).toSorted((a, b) => a - b);
  return possible.findLast((one) => one <= COMPARED_WIDTH) ?? possible[0] ?? null;
}

/**
 * The candidates of an image for the allowed sizes: `/content-media/a.jpg?width=320 320w, …`, and
 * the original if its width is between two of them, because browsers choose among candidates only.
 * Empty for files that are not processed or are smaller than the smallest size, and for animations:
 * their variants cost more than they save.
 */
export function srcset(
  url: string,
  allowedSizes: readonly number[],
  { width, format, quality }: SrcsetOptions = {},
): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const fileFormat = imageFormatOf(path.slice(path.lastIndexOf("/") + 1));
  if (fileFormat === null || (fileFormat === "gif" && format === undefined)) return "";
  const sizes = [...allowedSizes].sort((a, b) => a - b);
  const smaller = sizes.filter((size) => width === undefined || size <= width);
  const candidates = smaller.map(
    (size) => `${path}${query({ width: size, format, quality })} ${size}w`,
  );
  const isBetween = smaller.length < sizes.length && width !== smaller.at(-1);
  if (candidates.length > 0 && isBetween)
    candidates.push(`${path}${query({ format, quality })} ${width}w`);
  return candidates.join(", ");
}

/** With its question mark; empty without parameters. */
function query(parameters: Record<string, string | number | undefined>): string {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return entries.length === 0
    ? ""
    : `?${entries.map(([name, value]) => `${name}=${value}`).join("&")}`;
}

/** At most as wide as the text; browsers that support `auto` use the width in the layout. */
const SIZES = "auto, (max-width: 48rem) 100vw, 48rem";

/** Attributes of an `<img>`: its dimensions, and smaller variants if it can be resized. */
export function imageAttributes(
  url: string,
  size: ImageHeader | null,
  allowedSizes: readonly number[],
): Record<string, string> {
  if (size === null) return {};
  const attributes = { width: String(size.width), height: String(size.height) };
  if (size.problem !== undefined) return attributes;
  const candidates = srcset(url, allowedSizes, { width: size.width });
  return candidates === "" ? attributes : { ...attributes, srcset: candidates, sizes: SIZES };
}
