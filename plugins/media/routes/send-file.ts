import type { FileHandle } from "node:fs/promises";
import { once } from "node:events";
import type { Response } from "express";

/** Bytes read at a time, which is what a slow client costs in memory. */
const CHUNK = 256 * 1024;

/**
 * Sends a part of an opened file as the body, both ends included, and ends the answer. A client
 * that leaves ends the reading; a file that has become shorter ends the connection, so that nobody
 * takes the part for the whole.
 */
export async function sendFile(
  handle: FileHandle,
  res: Response,
  { start, end }: { start: number; end: number },
): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  res.once("close", leave);
  try {
    for (let at = start; at <= end && !gone.signal.aborted;) {
      const { buffer, bytesRead } = await handle.read({
        buffer: Buffer.allocUnsafeSlow(Math.min(CHUNK, end + 1 - at)),
        position: at,
      });
      if (bytesRead === 0) throw new RangeError("the file has become shorter");
      at += bytesRead;
      const isTaken = res.write(bytesRead < buffer.length ? buffer.subarray(0, bytesRead) : buffer);
      if (!isTaken && at <= end) await once(res, "drain", { signal: gone.signal });
    }
    res.end();
  } catch {
    res.destroy();
  } finally {
    res.off("close", leave);
  }
}
