import { open, type FileHandle } from "node:fs/promises";
import type { ImageHeader, ImageLook } from "../contract.js";
import {
  MAX_INPUT_BYTES,
  TOO_MANY_BYTES,
  type OriginalKind,
  assertPixels,
  ImageFault,
  detectKind,
  shownSize,
  type SharpModule,
  readMetadata,
  MAX_PIXELS,
  TIME_LIMIT_SECONDS,
  toFault,
} from "./process-image.js";

/** Bytes at the beginning that tell the kind. */
const HEAD_BYTES = 256;
/** Bytes at the end that tell whether the file is whole. */
const TAIL_BYTES = 32;

/**
 * Size as displayed, from the header, and why the image cannot be processed, as far as the header and the end
 * of the file tell: only a file with an unusual end is decoded. Null for files without a header of an image.
 */
export async function readHeader(sharp: SharpModule, file: string): Promise<ImageHeader | null> {
  try {
    const metadata = await sharp(file, { limitInputPixels: false }).metadata();
    if (metadata.width < 1) return null;
    const size = shownSize(metadata);
    const problem = await findProblem(async (handle) => {
      const kind = detectKind(await readAt(handle, 0, HEAD_BYTES));
      assertPixels(metadata);
      const { size: bytes } = await handle.stat();
      if (bytes > MAX_INPUT_BYTES) throw new ImageFault("unusable", TOO_MANY_BYTES);
      if (await isWhole(handle, kind, bytes)) return;
      // Some programs append data: only decoding tells.
      await lookAt(sharp, await handle.readFile());
    }, file);
    return problem === null ? size : { ...size, problem };
  } catch {
    return null;
  }
}

async function findProblem(
  check: (handle: FileHandle) => Promise<void>,
  file: string,
): Promise<string | null> {
  const handle = await open(file);
  try {
    await check(handle);
    return null;
  } catch (error) {
    if (error instanceof ImageFault && error.kind === "unusable") return error.message;
    if (error instanceof ImageFault) return null;
    throw error;
  } finally {
    await handle.close();
  }
}

/** False when the end of the file is not the end of an image: the file may be truncated. */
async function isWhole(handle: FileHandle, kind: OriginalKind, size: number): Promise<boolean> {
  const tail = await readAt(handle, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  switch (kind) {
    case "jpeg":
      return tail.includes(Buffer.from([0xff, 0xd9]));
    case "png":
      return tail.includes("IEND");
    case "gif":
      return tail.at(-1) === 0x3b;
    case "webp": {
      const head = await readAt(handle, 0, 8);
      return head.readUInt32LE(4) + 8 <= size;
    }
    case "avif":
    case "tiff":
      // Their parts stand anywhere: `ImageProblems` decodes them, no request waits for it.
      return true;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Longer side of the copy whose pixels are counted. */
const SIDE = 32;
const OPAQUE = 255;

/**
 * The dominant colour and the number of frames of an original.
 * @throws ImageFault
 */
export async function lookAt(sharp: SharpModule, original: Buffer): Promise<ImageLook> {
  try {
    detectKind(original);
    const options = { limitInputPixels: MAX_PIXELS, failOn: "truncated" } as const;
    const metadata = await readMetadata(sharp, original);
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
