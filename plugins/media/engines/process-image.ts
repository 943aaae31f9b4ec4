import type { Metadata, Sharp, SharpOptions } from "sharp";
import type {
  FocalPoint,
  ImageFormat,
  ImageSize,
  ImageVariant,
  ProcessedImage,
} from "../contract.js";

/** The package sharp. */
export type SharpModule = typeof import("sharp").default;

/** Bytes of the largest original that is processed. */
export const MAX_INPUT_BYTES = 25 * 1024 * 1024;
/** The problem of an original with more bytes. */
export const TOO_MANY_BYTES = "the image cannot be processed: it is larger than 25 MB";
/** Maximum pixels of an original. */
export const MAX_PIXELS = 50_000_000;
/** An animation with more frames is reduced to its first one. */
const MAX_FRAMES = 200;
/** Time for one image. */
export const TIME_LIMIT_SECONDS = 10;
/** Maximum side of a variant, in pixels. */
const LARGEST_SIDE = 4_096;
/** AVIF takes seconds beyond this side, in pixels, so WebP replaces it. */
const LARGEST_AVIF = 2_000;
// 11 times faster than the default of 4, with 4 % more bytes.
const AVIF_EFFORT = 2;
const WHITE = "#ffffff";
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/** The reason why an image could not be processed; the caller turns it into an HTTP error. */
export class ImageFault extends Error {
  readonly kind: "unusable" | "slow";

  constructor(kind: "unusable" | "slow", message: string) {
    super(message);
    this.kind = kind;
  }
}

/** libvips, set up for one image at a time per call. */
export async function loadSharp(): Promise<SharpModule> {
  const { default: sharp } = await import("sharp");
  // Its cache would store pixels and open files of originals that are used once.
  sharp.cache(false);
  // The queue limits concurrent images. Further threads of libvips would only use more memory.
  sharp.concurrency(1);
  return sharp;
}

/**
 * Generates a variant of an original.
 * @throws ImageFault
 */
export async function processImage(
  sharp: SharpModule,
  original: Buffer,
  variant: ImageVariant,
): Promise<ProcessedImage> {
  try {
    return await generate(sharp, original, variant);
  } catch (error) {
    throw toFault(error);
  }
}

async function generate(
  sharp: SharpModule,
  original: Buffer,
  variant: ImageVariant,
): Promise<ProcessedImage> {
  const kind = detectKind(original);
  const options: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: "truncated" };
  if (isPlain(kind, variant)) {
    const input = sharp(original, { ...options, sequentialRead: true });
    return finish(shrink(input, variant), variant).catch(async (error: unknown) => {
      // The header says whether it was too large.
      await readMetadata(sharp, original);
      throw error;
    });
  }
  const metadata = await readMetadata(sharp, original);
  const plan = planImage(shownSize(metadata), variant);
  const format = outputFormat(variant.format, plan.size);
  const isAnimated = keepsFrames(metadata, kind, format);
  const input = sharp(original, { ...options, animated: isAnimated, sequentialRead: true });
  const sized = applyPlan(isAnimated ? input : input.autoOrient(), plan, format);
  return finish(sized, { format, quality: variant.quality });
}

async function finish(
  image: Sharp,
  { format, quality }: Pick<ImageVariant, "format" | "quality">,
): Promise<ProcessedImage> {
  const { data, info } = await encode(image, format, quality)
    .timeout({ seconds: TIME_LIMIT_SECONDS })
    .toBuffer({ resolveWithObject: true });
  const height = info.pageHeight ?? info.height;
  return { type: `image/${format}`, width: info.width, height, bytes: data };
}

/** Fast path for one frame with one given side: the header need not be read first. */
function isPlain(kind: OriginalKind, { width, height, format }: ImageVariant): boolean {
  const isOneFrame = kind === "jpeg" || kind === "png";
  return isOneFrame && format !== "avif" && (width === null || height === null);
}

function shrink(image: Sharp, { width, height, format }: ImageVariant): Sharp {
  const box = { width: width ?? LARGEST_SIDE, height: height ?? LARGEST_SIDE };
  const sized = image.autoOrient().resize({ ...box, fit: "inside", withoutEnlargement: true });
  return format === "jpeg" ? sized.flatten({ background: WHITE }) : sized;
}

/** The kind of an image by its first bytes. @throws ImageFault for any other file. */
export function detectKind(beginning: Buffer): OriginalKind {
  const kind = imageSignature(beginning);
  if (kind !== null) return kind;
  throw unusable("it is of another kind than JPEG, PNG, WebP, AVIF, GIF and TIFF");
}

/**
 * The header of an image whose pixels may be decoded: the limit is checked before any pixel is read.
 * @throws ImageFault
 */
export async function readMetadata(sharp: SharpModule, image: Buffer | string): Promise<Metadata> {
  const metadata = await sharp(image, { limitInputPixels: false }).metadata();
  assertPixels(metadata);
  return metadata;
}

/** @throws ImageFault */
export function assertPixels({ width, height, pages }: Metadata): void {
  const pixels = width * height;
  if (pixels > MAX_PIXELS) {
    const millions = Math.ceil(pixels / 100_000) / 10;
    throw unusable(
      `it is too large: ${width} × ${height} pixels are ${millions} megapixels, and 50 is the limit`,
    );
  }
  if (pixels < 1 || pages === 0) throw unusable("it has no pixels");
}

/** Width and height of one frame, after the orientation is applied. */
export function shownSize({ width, height, pageHeight, orientation }: Metadata): ImageSize {
  const tall = pageHeight ?? height;
  const isTurned = orientation !== undefined && orientation >= 5;
  return isTurned ? { width: tall, height: width } : { width, height: tall };
}

function outputFormat(format: ImageFormat, { width, height }: ImageSize): ImageFormat {
  return format === "avif" && Math.max(width, height) > LARGEST_AVIF ? "webp" : format;
}

function keepsFrames(metadata: Metadata, kind: OriginalKind, format: ImageFormat): boolean {
  const { pages = 1, width, height, pageHeight } = metadata;
  if (pages < 2 || pages > MAX_FRAMES || (kind !== "gif" && kind !== "webp")) return false;
  if (format !== "gif" && format !== "webp") return false;
  return width * (pageHeight ?? height) * pages <= MAX_PIXELS;
}

function applyPlan(image: Sharp, plan: ImagePlan, format: ImageFormat): Sharp {
  const isOpaque = format === "jpeg";
  const { resize, crop } = plan;
  if (resize !== null) {
    const background = isOpaque ? WHITE : CLEAR;
    image.resize({ ...resize, background, withoutEnlargement: true });
  }
  if (crop !== null) image.extract(crop);
  return isOpaque ? image.flatten({ background: WHITE }) : image;
}

function encode(image: Sharp, format: ImageFormat, quality: number): Sharp {
  if (format === "jpeg") return image.jpeg({ quality });
  if (format === "png") return image.png();
  if (format === "gif") return image.gif();
  if (format === "webp") return image.webp({ quality });
  return image.avif({ quality, effort: AVIF_EFFORT });
}

/** An image that cannot be processed, and why. */
export function unusable(reason: string): ImageFault {
  return new ImageFault("unusable", `the image cannot be processed: ${reason}`);
}

/** The fault that an error of libvips stands for. */
export function toFault(error: unknown): ImageFault {
  if (error instanceof ImageFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/timeout/i.test(message))
    return new ImageFault("slow", "the image takes too long to process");
  return unusable("it is damaged: its data ends early or cannot be decoded");
}

/** Image types that can be processed. */
export type OriginalKind = "jpeg" | "png" | "gif" | "webp" | "avif" | "tiff";

/**
 * Detects the type of an image by its first bytes and ignores its name, so that decoders only see
 * listed types (not an SVG named `.jpg`). Null for anything else.
 */
export function imageSignature(bytes: Buffer): OriginalKind | null {
  const head = bytes.toString("latin1", 0, 12);
  if (head.length < 12) return null;
  const signature = SIGNATURES.find(([, pattern]) => pattern.test(head));
  if (signature !== undefined) return signature[0];
  return head.slice(4, 8) === "ftyp" && isAvif(bytes) ? "avif" : null;
}

const SIGNATURES: readonly (readonly [OriginalKind, RegExp])[] = [
  ["jpeg", /^\xff\xd8\xff/],
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF[^]{4}WEBP/],
  ["tiff", /^(?:II[*+]\0|MM\0[*+])/],
];

// ISO 14496-12 4.3: major brand, version, compatible brands; the box contains its length.
function isAvif(bytes: Buffer): boolean {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const brands = bytes.toString("latin1", 8, end);
  return /avi[fs]/.test(brands);
}

/** The steps to resize a picture: scale first, then crop. */
interface ImagePlan {
  /** The size to scale to; null: unchanged. */
  readonly resize: (ImageSize & { readonly fit: "fill" | "contain" }) | null;
  /** The area to crop from the scaled picture; null: all of it. */
  readonly crop: Box | null;
  /** The final size. */
  readonly size: ImageSize;
}

/** Plans the steps from an original of this size (as displayed) to a variant. Never enlarges. */
export function planImage(original: ImageSize, variant: ImageVariant): ImagePlan {
  const { width, height, fit } = variant;
  if (width === null || height === null) {
    return scaled(original, Math.min(sideScale(original, variant), largestScale(original), 1));
  }
  const box = { width, height };
  if (fit === "cover") return planCover(original, box, variant.focal);
  if (fit === "contain") return { resize: { ...box, fit: "contain" }, crop: null, size: box };
  if (fit === "fill") return stretched(original, box);
  const scales = [width / original.width, height / original.height];
  const scale = fit === "inside" ? Math.min(...scales) : Math.max(...scales);
  return scaled(original, Math.min(scale, largestScale(original), 1));
}

function sideScale(original: ImageSize, { width, height }: ImageVariant): number {
  if (width !== null) return width / original.width;
  return height === null ? 1 : height / original.height;
}

function largestScale({ width, height }: ImageSize): number {
  return LARGEST_SIDE / Math.max(width, height);
}

function scaled(original: ImageSize, scale: number): ImagePlan {
  return stretched(original, {
    width: Math.max(1, Math.round(original.width * scale)),
    height: Math.max(1, Math.round(original.height * scale)),
  });
}

function stretched(original: ImageSize, box: ImageSize): ImagePlan {
  const size = {
    width: Math.min(box.width, original.width),
    height: Math.min(box.height, original.height),
  };
  const isSame = size.width === original.width && size.height === original.height;
  return { resize: isSame ? null : { ...size, fit: "fill" }, crop: null, size };
}

/**
 * Fills the box and crops the rest, around the focal point. Scales first, because decoders read a
 * large original faster at a reduced size. A box larger than the original shrinks to it and keeps
 * its proportions.
 */
function planCover(original: ImageSize, box: ImageSize, focal: FocalPoint | null): ImagePlan {
  const scale = Math.max(box.width / original.width, box.height / original.height);
  const shrink = Math.max(scale, 1);
  const size = {
    width: Math.max(1, Math.round(box.width / shrink)),
    height: Math.max(1, Math.round(box.height / shrink)),
  };
  const factor = Math.min(scale, 1);
  const whole = {
    width: Math.max(size.width, Math.round(original.width * factor)),
    height: Math.max(size.height, Math.round(original.height * factor)),
  };
  const { resize } = stretched(original, whole);
  return { resize, crop: cropAround(whole, size, focal ?? { x: 50, y: 50 }), size };
}

/** A rectangle in pixels. */
interface Box extends ImageSize {
  readonly left: number;
  readonly top: number;
}
/** The area of `size` within `whole`, centred on the focal point as far as possible. */
export function cropAround(whole: ImageSize, size: ImageSize, focal: FocalPoint): Box | null {
  if (whole.width === size.width && whole.height === size.height) return null;
  const left = offset((whole.width * focal.x) / 100 - size.width / 2, whole.width - size.width);
  const top = offset((whole.height * focal.y) / 100 - size.height / 2, whole.height - size.height);
  return { left, top, width: size.width, height: size.height };
}

function offset(start: number, most: number): number {
  return Math.min(Math.max(Math.round(start), 0), most);
}
