import { HttpError } from "#kernel";

/** Bytes that are looked at before the first is written: signatures stand at the beginning. */
const BEGINNING = 16_384;

/** How the bytes of an upload are checked on their way. */
export interface ByteChecks {
  readonly maxBytes: number;
  /** Sees the beginning of the file; what it throws ends the upload. */
  checkBeginning(beginning: Buffer): Promise<void>;
}

/**
 * The bytes of an upload as they arrive, none before its beginning has passed the check.
 * @throws HttpError 413 at the byte too many, 400 for an empty file, and what the check throws.
 */
export async function* checkedBytes(
  stream: AsyncIterable<unknown>,
  { maxBytes, checkBeginning }: ByteChecks,
): AsyncGenerator<Buffer> {
  let held: Buffer[] | null = [];
  let size = 0;
  for await (const part of stream) {
    const chunk = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (held === null) yield chunk;
    else {
      held.push(chunk);
      if (size < BEGINNING) continue;
      const beginning = Buffer.concat(held);
      held = null;
      await checkBeginning(beginning);
      yield beginning;
    }
  }
  if (size === 0) throw new HttpError(400, "the file is empty", { code: "ERR_UPLOAD_FORM" });
  if (held === null) return;
  const all = Buffer.concat(held);
  await checkBeginning(all);
  yield all;
}

/** 413, naming the limit. */
export function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, `the file is larger than ${Math.floor(maxBytes)} bytes`, {
    code: "ERR_UPLOAD_SIZE",
  });
}
