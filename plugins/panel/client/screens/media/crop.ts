/** Computes where the image pipeline crops. */

/** Two numbers, across and down. */
export interface Pair {
  readonly x: number;
  readonly y: number;
}

/** Pixels of a picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The middle of a picture, in percent. */
export const CENTRE: Pair = { x: 50, y: 50 };

/**
 * The part of a picture's spare width and height that lies before the crop, from 0 to 1: the crop is
 * centred on the focal point, as far as it stays inside.
 */
export function cropPosition(image: Size, ratio: number, focal: Pair): Pair {
  const imageRatio = image.width / image.height;
  return {
    x: spareBefore(focal.x / 100, Math.min(1, ratio / imageRatio)),
    y: spareBefore(focal.y / 100, Math.min(1, imageRatio / ratio)),
  };
}

function spareBefore(focal: number, visible: number): number {
  if (visible === 1) return 0.5;
  return within((focal - visible / 2) / (1 - visible), 1);
}

/** The focal point of a sidecar; the centre without one. */
export function readFocal(meta: Readonly<Record<string, unknown>>): Pair {
  const point = meta["focal_point"] ?? meta["focal"];
  const [x, y] = Array.isArray(point) ? point.map(Number) : [];
  const isPair = x !== undefined && y !== undefined && Number.isFinite(x + y);
  return isPair ? { x: within(x, 100), y: within(y, 100) } : CENTRE;
}

/** A number from 0 to `most`. */
export function within(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
