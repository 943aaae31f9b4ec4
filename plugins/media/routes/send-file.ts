import type { FileHandle } from "node:fs/promises";
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
  // One buffer for the whole body, used again once its bytes have left: many of them would keep
  // the garbage collector busy.
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, end + 1 - start));
  try {
    for (let position = start; position <= end;) {
      const length = Math.min(buffer.length, end + 1 - position);
      const { bytesRead } = await handle.read({ buffer, length, position });
      if (bytesRead === 0) throw new RangeError("the file has become shorter");
      position += bytesRead;
      await written(res, buffer.subarray(0, bytesRead));
    }
    res.end();
  } catch {
    res.destroy();
  }
}

/** Resolves when the bytes have left; rejects when the client has. */
function written(res: Response, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (res.destroyed) reject(new Error("the client has left"));
    const leave = (): void => reject(new Error("the client has left"));
    res.once("close", leave);
    res.write(bytes, (error) => {
      res.off("close", leave);
      if (error) reject(error);
      else resolve();
    });
  });
}
