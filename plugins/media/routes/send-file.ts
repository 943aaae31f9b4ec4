import type { FileHandle } from "node:fs/promises";
import type { Request, Response } from "express";
import { openInside, type OpenedFile } from "../open-file.js";
import type { FileToSend } from "../contract.js";
import { bodyHeaders, wantedPart } from "./send-body.js";

/** Bytes per read, which is the memory that a slow client uses. */
const CHUNK = 256 * 1024;

/** Number of idle buffers for further files. */
const MAX_FREE = 32;

/** Sends files in few large reads, with reused buffers. */
export class FileSender {
  readonly #free: Buffer[] = [];

  /** Sends a file below a folder; false when it does not exist. */
  async sendInside(req: Request, res: Response, wanted: FileToSend): Promise<boolean> {
    const opened = await openInside(wanted.root, wanted.file);
    if (opened === null) return false;
    try {
      await this.sendOpened({ req, res }, opened, wanted);
    } finally {
      await opened.handle.close();
    }
    return true;
  }

  /** Sends an opened file or its requested part, with a validator from its stamp. */
  async sendOpened(
    { req, res }: { req: Request; res: Response },
    { handle, stamp, mtimeMs }: OpenedFile,
    { type, headers }: Pick<FileToSend, "type" | "headers">,
  ): Promise<void> {
    const { size, mtimeNs, inode } = stamp;
    const etag = `"${size.toString(36)}-${mtimeNs.toString(36)}-${inode.toString(36)}"`;
    const body = { type, headers, etag, mtimeMs, size };
    const range = wantedPart(req, res, body);
    if (range === null) return;
    const { start, end } = range.kind === "part" ? range : { start: 0, end: size - 1 };
    const answer = bodyHeaders(body, range);
    res.writeHead(answer.status, {
      ...answer.headers,
      "Content-Type": type,
      "Content-Length": String(end - start + 1),
    });
    if (req.method === "HEAD") res.end();
    else await this.send(handle, res, { start, end });
  }

  /**
   * Sends a part of an opened file as the body, both ends included, and ends the response. Stops
   * reading when the client leaves; closes the connection when the file was truncated, so that the
   * client notices.
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
      // After a failure the bytes may still be in use, so the buffer is not reused.
      if (this.#free.length < MAX_FREE) this.#free.push(buffer);
    } catch {
      res.destroy();
    }
  }
}

/** Resolves when the bytes were sent; rejects when the client has left. */
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
