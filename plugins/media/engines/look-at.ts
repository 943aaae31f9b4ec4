import type { ImageLook } from "../contract.js";
import {
  headerOf,
  kindOf,
  MAX_PIXELS,
  TIME_LIMIT_SECONDS,
  toFault,
  type SharpModule,
} from "./process-image.js";

/** Longer side of the copy whose pixels are counted. */
const SIDE = 32;
const OPAQUE = 255;

/**
 * The dominant colour and the number of frames of an original.
 * @throws ImageFault
 */
export async function lookAt(sharp: SharpModule, original: Buffer): Promise<ImageLook> {
  try {
    kindOf(original);
    const options = { limitInputPixels: MAX_PIXELS, failOn: "truncated" } as const;
    const metadata = await headerOf(sharp, original);
    const { data } = await sharp(original, { ...options, sequentialRead: true })
      .resize({ width: SIDE, height: SIDE, fit: "inside" })
      .toColourspace("srgb")
      .ensureAlpha()
      .timeout({ seconds: TIME_LIMIT_SECONDS })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { color: dominantColor(data), frames: metadata.pages ?? 1 };
  } catch (error) {
    throw toFault(error);
  }
}

interface Bin {
  count: number;
  readonly sums: [red: number, green: number, blue: number];
}

/** The mean of the most frequent range of colours; null when a pixel is transparent. */
function dominantColor(rgba: Buffer): string | null {
  const bins = new Map<number, Bin>();
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    if (rgba[at + 3] !== OPAQUE) return null;
    const [red = 0, green = 0, blue = 0] = rgba.subarray(at, at + 3);
    // Three bits of each channel.
    const name = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    const bin = bins.get(name) ?? { count: 0, sums: [0, 0, 0] };
    bin.count += 1;
    bin.sums[0] += red;
    bin.sums[1] += green;
    bin.sums[2] += blue;
    bins.set(name, bin);
  }
  const [largest] = [...bins.values()].toSorted((a, b) => b.count - a.count);
  return largest === undefined ? null : toHex(largest);
}

function toHex({ count, sums }: Bin): string {
  return `#${sums
    .map((sum) =>
      Math.round(sum / count)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
