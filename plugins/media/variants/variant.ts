import { isRecord } from "#lib/values";
import { readYaml } from "#lib/yaml";
import type { FocalPoint, ImageFit, ImageFormat, ImageVariant } from "../contract.js";
import { openInside, type FileStamp } from "../originals/open-file.js";

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
    // PNG and GIF are lossless.
    quality: format === "png" || format === "gif" ? 100 : (asked.quality ?? original.quality),
    format,
    fit,
    focal: isBox && fit === "cover" ? roundFocal(asked.focal) : null,
  };
}

/** Rounds to steps of 5 %, which bounds the number of variants; null for the centre. */
function roundFocal(focal: FocalPoint | null): FocalPoint | null {
  if (focal === null) return null;
  const x = Math.round(focal.x / 5) * 5;
  const y = Math.round(focal.y / 5) * 5;
  return x === 50 && y === 50 ? null : { x, y };
}

/** A focal point as two numbers from 0 to 100; null for anything else. */
export function toFocal(x: unknown, y: unknown): FocalPoint | null {
  return isPercent(x) && isPercent(y) ? { x, y } : null;
}

function isPercent(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 100;
}

/** The canonical form of a variant: `w640-h480-q80-webp-cover-x50y30`. */
export function canonicalVariant(variant: ImageVariant): string {
  const { width, height, quality, format, fit, focal } = variant;
  const parts = [`w${width ?? 0}`, `h${height ?? 0}`, `q${quality}`, format];
  if (width !== null && height !== null) parts.push(fit);
  if (focal !== null) parts.push(`x${focal.x}y${focal.y}`);
  return parts.join("-");
}

/** Maximum bytes of a sidecar. */
const LARGEST = 64 * 1024;

/** The focal point of a sidecar, and the state of its file. */
interface SidecarFocal {
  readonly focal: FocalPoint | null;
  /** Null: there is no sidecar. */
  readonly stamp: FileStamp | null;
}

/** Reads `focal_point: [x, y]` of a sidecar; no point when it is missing or does not parse. */
export async function readSidecarFocal(root: string, path: string): Promise<SidecarFocal> {
  const opened = await openInside(root, path);
  if (opened === null) return { focal: null, stamp: null };
  const { handle, stamp } = opened;
  try {
    const text = stamp.size > LARGEST ? "" : await handle.readFile("utf8");
    return { focal: parseSidecarFocal(text), stamp };
  } finally {
    await handle.close();
  }
}

function parseSidecarFocal(text: string): FocalPoint | null {
  const { values } = readYaml(text);
  if (!isRecord(values)) return null;
  const pair = values["focal_point"] ?? values["focal"];
  return Array.isArray(pair) ? toFocal(pair[0], pair[1]) : null;
}
