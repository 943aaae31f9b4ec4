import type { FocalPoint, ImageSize, ImageVariant } from "../contract.js";
import { cropAround, type Box } from "../variants/focal-crop.js";

/** Maximum side of a variant, in pixels. */
const LARGEST = 4096;

/** The steps to resize a picture: scale first, then crop. */
export interface ImagePlan {
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
  return LARGEST / Math.max(width, height);
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
