import type { Readable } from "node:stream";
import type { StorageEngine } from "multer";
import { HttpError, type Handler } from "#kernel";

type Req = Parameters<Handler>[0];
type Res = Parameters<Handler>[1];

/** A file on its way in. */
export interface IncomingFile {
  /** As the client calls it. */
  readonly name: string;
  readonly stream: Readable;
}

/** Beside the file nothing is read; a few small fields of a form are let pass. */
const LIMITS = {
  files: 1,
  fields: 10,
  fieldSize: 4_096,
  fieldNameSize: 100,
  fieldNestingDepth: 0,
  parts: 11,
} as const;

/** What becomes of a file on its way in. */
export interface Receiver<T> {
  /** Name of the form's field. */
  readonly field: string;
  /** Bytes of the whole body. */
  readonly maxBytes: number;
  keep(file: IncomingFile): Promise<T>;
  /** Takes back what was kept, when the rest of the form turns out wrong. */
  discard(kept: T): Promise<void>;
  /** The error of a body that is too large. */
  tooLarge(): Error;
}

/**
 * Hands the one file of a multipart form to `keep` as it arrives; answers what `keep` answers. What
 * `keep` throws ends the upload at once, without waiting for the rest. A client that leaves ends the
 * stream with an error.
 * @throws HttpError 400 ERR_UPLOAD_FORM for a form that is none or has no file, 415 for another body.
 */
export async function receiveFile<T>(
  { req, res }: { req: Req; res: Res },
  receiver: Receiver<T>,
): Promise<T> {
  if (!/^multipart\/form-data\b/i.test(req.headers["content-type"] ?? "")) {
    throw new HttpError(415, "expected Content-Type multipart/form-data");
  }
  // Loaded with the first upload.
  const { default: multer, MulterError } = await import("multer");
  const formError = (error: unknown): HttpError =>
    wrongForm(error instanceof MulterError ? error.message : "the multipart body is broken");
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
      // What is kept is taken back below, where it is known.
      _removeFile: (_req, _file, done) => done(null),
    };
    cutAt(maxBytes, req, () => reject(receiver.tooLarge()));
    const receive = multer({ storage, limits: LIMITS, defParamCharset: "utf8" }).single(field);
    void receive(req, res, (error: unknown) => {
      const missing = wrongForm(`field ${JSON.stringify(field)} is missing`);
      const wrong = error ? formError(error) : null;
      if (pending === null) reject(wrong ?? missing);
      else if (wrong === null) pending.then(resolve, reject);
      // Where the file itself was refused that says more than what became of the form.
      else pending.then((kept) => receiver.discard(kept)).then(() => reject(wrong), reject);
    });
  });
}

/** A body may be endless, also where no file is in it. */
function cutAt(maxBytes: number, req: Req, cut: () => void): void {
  let size = 0;
  req.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) cut();
  });
}

/** A stream of a request that broke off would never end by itself. */
function endWith(req: Req, stream: Readable): void {
  const leave = (): void => {
    if (hasLeft(req)) stream.destroy(new Error("the body broke off"));
  };
  leave();
  req.once("close", leave);
}

/** True when the file's stream failed, not what was made of it: the form ends in mid-file. */
function isTruncated(req: Req, { errored }: Readable, error: unknown): boolean {
  return hasLeft(req) || (errored !== null && error === errored);
}

function hasLeft(req: Req): boolean {
  return req.destroyed && !req.complete;
}

function wrongForm(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_UPLOAD_FORM" });
}
