import type { Readable } from "node:stream";
import type { StorageEngine } from "multer";
import { HttpError, type Handler } from "#kernel";

type Req = Parameters<Handler>[0];
type Res = Parameters<Handler>[1];

/** A file being received. */
export interface IncomingFile {
  /** File name as sent by the client. */
  readonly name: string;
  readonly stream: Readable;
}

/** Only the file is read; a few small form fields are tolerated. */
const LIMITS = {
  files: 1,
  fields: 10,
  fieldSize: 4_096,
  fieldNameSize: 100,
  fieldNestingDepth: 0,
  parts: 11,
} as const;

/** Handles a received file. */
export interface Receiver<T> {
  /** Name of the form field. */
  readonly field: string;
  /** Maximum size of the whole body in bytes. */
  readonly maxBytes: number;
  keep(file: IncomingFile): Promise<T>;
  /** Deletes a stored file when the rest of the form turns out invalid. */
  discard(stored: T): Promise<void>;
  /** The error for a body that is too large. */
  tooLarge(): Error;
}

/**
 * Streams the file of a multipart form to `keep` and returns its result. An error from `keep` ends
 * the upload immediately, without waiting for the rest. When the client disconnects, the stream
 * fails.
 * @throws HttpError 400 ERR_UPLOAD_FORM for an invalid form or a missing file, 415 for another
 * content type.
 */
export async function receiveFile<T>(req: Req, res: Res, receiver: Receiver<T>): Promise<T> {
  if (!/^multipart\/form-data\b/i.test(req.headers["content-type"] ?? "")) {
    throw new HttpError(415, "expected Content-Type multipart/form-data");
  }
  // Loaded with the first upload.
  const { default: multer, MulterError } = await import("multer");
  const formError = (error: unknown): HttpError =>
    wrongForm(error instanceof MulterError ? error.message : "the multipart body is malformed");
  const { field, maxBytes } = receiver;
  return new Promise((resolve, reject) => {
    let pending: Promise<T> | null = null;
    const storage: StorageEngine = {
      _handleFile: (_req, { originalname: name, stream }, done) => {
        endWith(req, stream);
        pending = receiver.keep({ name, stream }).catch((error: unknown) => {
          throw isTruncated(req, stream, error) ? wrongForm("request body was truncated") : error;
        });
        pending.then(
          () => done(null),
          (error: unknown) => {
            reject(error);
            done(error);
          },
        );
      },
      // The stored file is discarded below, where its result is available.
      _removeFile: (_req, _file, done) => done(null),
    };
    limitBytes(maxBytes, req, () => reject(receiver.tooLarge()));
    const receive = multer({ storage, limits: LIMITS, defParamCharset: "utf8" }).single(field);
    void receive(req, res, (error: unknown) => {
      const missing = wrongForm(`field ${JSON.stringify(field)} is missing`);
      const wrong = error ? formError(error) : null;
      if (pending === null) reject(wrong ?? missing);
      else if (wrong === null) pending.then(resolve, reject);
      // An error about the file itself is more specific than one about the form.
      else pending.then((stored) => receiver.discard(stored)).then(() => reject(wrong), reject);
    });
  });
}

/** A body may be endless, even without a file in it. */
function limitBytes(maxBytes: number, req: Req, cut: () => void): void {
  let size = 0;
  req.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) cut();
  });
}

/** The stream of an aborted request would never end by itself. */
function endWith(req: Req, stream: Readable): void {
  const leave = (): void => {
    if (hasLeft(req)) stream.destroy(new Error("the request was aborted"));
  };
  leave();
  req.once("close", leave);
}

/**
 * True when the file's stream failed rather than its consumer: the form ends in the middle of the
 * file.
 */
function isTruncated(req: Req, { errored }: Readable, error: unknown): boolean {
  return hasLeft(req) || (errored !== null && error === errored);
}

function hasLeft(req: Req): boolean {
  return req.destroyed && !req.complete;
}

function wrongForm(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_UPLOAD_FORM" });
}
