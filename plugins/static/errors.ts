import { SiteError } from "#kernel";

/** Codes of static exports, with what they mean and what mends them. */
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

/** An error of the export, by code. */
export function staticError(
  code: keyof typeof staticErrors,
  message: string,
  options: { fix?: string; cause?: unknown } = {},
): SiteError {
  return new SiteError(code, message, options);
}
