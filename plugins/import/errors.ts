import { SiteError } from "#kernel";
import type { Origin } from "./contract.js";

/** Error codes of imports: what each means, and the fix. */
export const importErrors = {
  ERR_IMPORT_KIND: "there is no source of this name; use one of those that are listed",
  ERR_IMPORT_SOURCE:
    "the source cannot be read; the message names file and line, nothing was imported",
  ERR_IMPORT_TARGET: "there is no export format of this name; use one of those that are listed",
  ERR_IMPORT_ROUTE: "no page that may be exported is at or below the route of `--route`",
  ERR_IMPORT_OUT:
    "an export overwrites nothing and writes nothing into the content folder; name a new or empty folder, or a new file",
  ERR_IMPORT_WRITE: "the disk refused a file of the export; nothing of the export remains",
  ERR_IMPORT_TYPE: "records need the name of a flex type; give it with `--type`",
} as const;

/** The error of a source that cannot be read: nothing is imported then. */
export function sourceError({ file, line }: Origin, problem: string, fix?: string): SiteError {
  const position = line === undefined ? file : `${file}:${line}`;
  return new SiteError("ERR_IMPORT_SOURCE", `${position}: ${problem}`, {
    status: 400,
    ...(fix !== undefined && { fix }),
  });
}

/** Details of an error of `site export`. */
interface ExportErrorOptions {
  /** Tells the user how to fix it. */
  readonly fix: string;
  /** Is 2 when the command was called wrongly. */
  readonly exitCode?: 2;
  /** The error of the disk. */
  readonly cause?: unknown;
}

/** An error of `site export`, with its code. */
export function exportError(
  code: keyof typeof importErrors,
  message: string,
  options: ExportErrorOptions,
): SiteError {
  return new SiteError(code, message, { status: 400, ...options });
}
