import type { FocalPoint, ImageSize } from "../contract.js";

/** A rectangle in pixels. */
export interface Box extends ImageSize {
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

function offset(wanted: number, most: number): number {
  return Math.min(Math.max(Math.round(wanted), 0), most);
}
