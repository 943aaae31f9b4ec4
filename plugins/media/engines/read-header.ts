import { open, type FileHandle } from "node:fs/promises";
import type { ImageHeader } from "../contract.js";
import { MAX_INPUT_BYTES, TOO_MANY_BYTES } from "../originals/input-limit.js";
import type { OriginalKind } from "./image-signature.js";
import { lookAt } from "./look-at.js";
import { assertPixels, ImageFault, kindOf, shownSize, type SharpModule } from "./process-image.js";

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
    const problem = await problemOf(async (handle) => {
      const kind = kindOf(await readAt(handle, 0, HEAD_BYTES));
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

async function problemOf(
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
