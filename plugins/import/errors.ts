import { SiteError } from "#kernel";
import type { Origin } from "./contract.js";

/** Error codes of imports: what each means, and the fix. */
export const importErrors = {
  ERR_IMPORT_KIND: "there is no source of this name; use one of those that are listed",
  ERR_IMPORT_SOURCE:
    "the source cannot be read; the message names file and line, nothing was imported",
  ERR_IMPORT_TYPE: "records need the name of a flex type; give it with `--type`",
} as const;

/** The error of a source that cannot be read: nothing is imported then. */
export function sourceError({ file, line }: Origin, problem: string, fix?: string): SiteError {
  const place = line === undefined ? file : `${file}:${line}`;
  return new SiteError("ERR_IMPORT_SOURCE", `${place}: ${problem}`, {
    status: 400,
    ...(fix !== undefined && { fix }),
  });
}
