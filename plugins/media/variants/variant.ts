import type { FocalPoint, ImageFit, ImageFormat, ImageVariant } from "../contract.js";
import { roundFocal } from "./focal-point.js";

/** Formats that can be requested. */
export const OUTPUT_FORMATS = ["jpeg", "png", "webp", "avif"] as const;
/** Ways to fill a box. */
export const FITS = ["cover", "contain", "fill", "inside", "outside"] as const;

/** The requested variant, before it is normalized. */
export interface WantedVariant {
  width: number | null;
  height: number | null;
  quality: number | null;
  format: ImageFormat | null;
  fit: ImageFit | null;
  focal: FocalPoint | null;
}

/**
 * Normalizes a requested variant for an original: fills in defaults and drops values without
 * effect, so that two addresses of the same picture share one cached file.
 */
export function normaliseVariant(
  asked: WantedVariant,
  original: Pick<ImageVariant, "format" | "quality">,
): ImageVariant {
  const { width, height } = asked;
  const format = asked.format ?? original.format;
  const isBox = width !== null && height !== null;
  const fit = isBox ? (asked.fit ?? "cover") : "cover";
  return {
    width,
    height,
    // PNG and GIF are lossless, so quality has no effect.
    quality: format === "png" || format === "gif" ? 100 : (asked.quality ?? original.quality),
    format,
    fit,
    focal: isBox && fit === "cover" ? roundFocal(asked.focal) : null,
  };
}

/** The canonical form of a variant: `w640-h480-q80-webp-cover-x50y30`. */
export function canonicalVariant(variant: ImageVariant): string {
  const { width, height, quality, format, fit, focal } = variant;
  const parts = [`w${width ?? 0}`, `h${height ?? 0}`, `q${quality}`, format];
  if (width !== null && height !== null) parts.push(fit);
  if (focal !== null) parts.push(`x${focal.x}y${focal.y}`);
  return parts.join("-");
}
