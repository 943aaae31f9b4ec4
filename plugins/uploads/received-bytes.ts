import { HttpError } from "#kernel";

/** Bytes checked before any are written: file signatures are at the beginning. */
const BEGINNING = 16_384;

/** Checks of received bytes. */
export interface ByteChecks {
  readonly maxBytes: number;
  /** Receives the beginning of the file; an error ends the upload. */
  checkBeginning(beginning: Buffer): Promise<void>;
}

/**
 * Streams the bytes of an upload once its beginning has passed the check.
 * @throws HttpError 413 above the limit, 400 for an empty file, and what the check throws.
 */
export async function* checkedBytes(
  stream: AsyncIterable<unknown>,
  { maxBytes, checkBeginning }: ByteChecks,
): AsyncGenerator<Buffer> {
  let pending: Buffer[] | null = [];
  let size = 0;
  for await (const part of stream) {
    const chunk = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (pending === null) yield chunk;
    else {
      pending.push(chunk);
      if (size < BEGINNING) continue;
      const beginning = Buffer.concat(pending);
      pending = null;
      await checkBeginning(beginning);
      yield beginning;
    }
  }
  if (size === 0) throw new HttpError(400, "the file is empty", { code: "ERR_UPLOAD_FORM" });
  if (pending === null) return;
  const all = Buffer.concat(pending);
  await checkBeginning(all);
  yield all;
}

/** 413 with the limit. */
export function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, `the file is larger than ${Math.floor(maxBytes)} bytes`, {
    code: "ERR_UPLOAD_SIZE",
  });
}
