import { basename } from "node:path";
import { imageFormatOf } from "#lib/files";
import type { ImageFormat, ImageSize } from "../contract.js";
import { normaliseVariant } from "./variant.js";
import type { Variants } from "./variants.js";

/** The width at which formats are compared, in pixels: that of a phone or a card. */
const COMPARED_WIDTH = 640;

/** Formats that replace others in a `<picture>`. */
export type SourceFormat = "avif" | "webp";

/** AVIF of this part of the quality number is as similar to the original as WebP (SSIM, measured). */
const AVIF_QUALITY = 0.75;

/** The quality of a format's variants in a `<picture>`; undefined: the default. */
export function sourceQuality(format: ImageFormat, quality: number): number | undefined {
  return format === "avif" ? Math.max(1, Math.round(quality * AVIF_QUALITY)) : undefined;
}

/** What was measured of an image. */
export interface Measured {
  /** Formats that are smaller than the image's own, the smallest first. */
  readonly formats: readonly SourceFormat[];
  /** Dominant colour; null: transparent, or unknown. */
  readonly color: string | null;
  /** Why the image cannot be resized; null when it can. */
  readonly problem: string | null;
}

/** What to measure. */
export interface Measurement {
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
export async function measureImage(variants: Variants, task: Measurement): Promise<Measured> {
  const look = await variants.look(task.file, task.signal);
  const own = imageFormatOf(basename(task.file)) ?? "gif";
  const mayMove = look === null ? own === "webp" : look.frames > 1;
  return {
    formats: task.pictures && !mayMove ? await smallerFormats(variants, { ...task, own }) : [],
    color: task.placeholders && look !== null && look.frames === 1 ? look.color : null,
    problem: null,
  };
}

async function smallerFormats(
  variants: Variants,
  { file, size, allowedSizes, quality, signal, own }: Measurement & { own: ImageFormat },
): Promise<SourceFormat[]> {
  const width = comparedWidth(size, allowedSizes);
  const bytesAs = async (format: ImageFormat, ofSource?: number): Promise<number> => {
    const other = { height: null, fit: null, focal: null };
    const wanted = { ...other, width, format, quality: ofSource ?? null };
    const variant = normaliseVariant(wanted, { format: own, quality });
    const made = await variants.get({ file, variant, ip: null, left: signal });
    // The engine replaces a format that does not support the size.
    const isThat = made?.image.type === `image/${format}`;
    return made !== null && isThat ? made.image.bytes.length : Number.POSITIVE_INFINITY;
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
