const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const REFUSED: ReadonlySet<unknown> = new Set([
  "EIO",
  "EROFS",
  "EACCES",
  "EPERM",
  "EMFILE",
  "ENFILE",
]);

/** True for the code of a full disk or a used up quota. */
export function isDiskFull(code: string | undefined): boolean {
  return FULL.has(code);
}

/** True for the code of a disk that takes no more writes: full, read-only, failing, or without rights to it. */
export function isDiskFailure(code: string | undefined): boolean {
  return FULL.has(code) || REFUSED.has(code);
}
