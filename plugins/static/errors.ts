import { errorCode, isDiskFailure, isDiskFull } from "#lib/errors";
import { SiteError } from "#kernel";

/** Error codes of static exports, with meaning and fix. */
export const staticErrors = {
  ERR_STATIC_OPTION:
    "an option of `build` is missing or cannot be read; `site build --help` lists them",
  ERR_STATIC_OUT:
    "the export may not go into this folder: it holds the site's own files, or lies among them; choose another one with --out",
  ERR_STATIC_FOREIGN:
    "the folder holds files that no export wrote, which would be lost or published; empty it or choose another one",
  ERR_STATIC_BUSY: "another export writes into this folder; wait for it, or choose another one",
  ERR_STATIC_WRITE: "the disk refused a file of the export; the last complete export is untouched",
  ERR_STATIC_THREAD: "a worker thread of the export ended; the last complete export is untouched",
} as const;

/** Details of an error of the export. */
interface StaticErrorOptions {
  /** What to do about it. */
  readonly fix?: string;
  /** For a command that was called wrongly. */
  readonly exitCode?: 2;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/** An error of the export, with its code. */
export function staticError(
  code: keyof typeof staticErrors,
  message: string,
  options: StaticErrorOptions = {},
): SiteError {
  return new SiteError(code, message, options);
}

/** The code of a disk error that would fail every other page too; otherwise null. */
export function diskErrorCode(error: unknown): string | null {
  const code = errorCode(error);
  return isDiskFailure(code) ? code : null;
}

/** Converts a disk error to one with a fix; returns any other error unchanged. */
export function asWriteError(error: unknown, folder: string): unknown {
  const code = diskErrorCode(error);
  if (code === null) return error;
  const isFull = isDiskFull(code);
  const reason = isFull ? "there is no space left" : `the disk answers ${code}`;
  return staticError("ERR_STATIC_WRITE", `${folder}/ cannot be written: ${reason}`, {
    fix: isFull
      ? "free space (the new export lies beside the old one until it is done) and export again"
      : "look after the folder and its permissions, and export again",
    cause: error,
  });
}
