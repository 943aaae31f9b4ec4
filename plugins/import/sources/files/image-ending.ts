/** The type that the first bytes of an image show. */
import { open } from "node:fs/promises";
import { mediaTypeOf } from "#lib/files";

/** Images that browsers show whatever the ending of their name is. */
const SHOWN: ReadonlySet<string> = new Set(["png", "jpg", "gif", "webp", "avif"]);
const BEGINNING = 4_100;

/** The ending for an image that is of another type than its name says; null for any other file. */
export async function imageEnding(file: string, name: string): Promise<string | null> {
  const named = mediaTypeOf(name);
  if (!/^image\/(?!svg)/.test(named)) return null;
  const { fileTypeFromBuffer } = await import("file-type");
  const ending = (await fileTypeFromBuffer(await beginningOf(file)))?.ext;
  if (ending === undefined || !SHOWN.has(ending)) return null;
  return mediaTypeOf(`a.${ending}`) === named ? null : ending;
}

async function beginningOf(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
