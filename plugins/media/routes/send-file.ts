import type { FileHandle } from "node:fs/promises";
import type { Response } from "express";

/** Bytes read at a time, which is what a slow client costs in memory. */
const CHUNK = 256 * 1024;

/** Buffers that are kept for the next file. */
const MOST_FREE = 32;

/** Sends files in few large reads, through buffers that are used again and again. */
export class FileSender {
  readonly #free: Buffer[] = [];

  /**
   * Sends a part of an opened file as the body, both ends included, and ends the answer. A client
   * that leaves ends the reading; a file that has become shorter ends the connection, so that
   * nobody takes the part for the whole.
   */
  async send(
    handle: FileHandle,
    res: Response,
    { start, end }: { start: number; end: number },
  ): Promise<void> {
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(CHUNK);
    try {
      for (let position = start; position <= end;) {
        const length = Math.min(CHUNK, end + 1 - position);
        const { bytesRead } = await handle.read({ buffer, length, position });
        if (bytesRead === 0) throw new RangeError("the file has become shorter");
        position += bytesRead;
        await written(res, buffer.subarray(0, bytesRead));
      }
      res.end();
      // After a failure the bytes may still be on their way: such a buffer is not used again.
      if (this.#free.length < MOST_FREE) this.#free.push(buffer);
    } catch {
      res.destroy();
    }
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
