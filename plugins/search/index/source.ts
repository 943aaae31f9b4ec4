import type { PageEntry } from "../../content/contract.js";
import type { RecordSource } from "./collect-records.js";
import { accessKey } from "./documents.js";
import { partsPrint } from "./searchable-modules.js";

/** The origin of a document. */
export type Source = PageSource | RecordSource;
/** A page, and the languages whose readers get it; none on a site with one language. */
export interface PageSource {
  kind: "page";
  entry: PageEntry;
  readers: readonly string[];
  /** Its modules that everybody sees who sees the page: their texts are found at its address. */
  parts: readonly PageEntry[];
  /** What page types say of its text and terms; see `TemplateRules`. */
  rules: string;
}

/** Returns the previous source if all indexed fields of the page are equal. */
export function unchangedSource(
  before: Source | undefined,
  { entry, readers, parts, rules }: PageSource,
): Source | null {
  if (before?.kind !== "page" || String(before.readers) !== String(readers)) return null;
  if (before.rules !== rules) return null;
  if (partsPrint(before.parts) !== partsPrint(parts)) return null;
  if (before.entry === entry) return before;
  const names = ["hash", "sourcePath", "template", "title", "date", "lang"] as const;
  const isSame = names.every((name) => before.entry[name] === entry[name]);
  return isSame && accessKey(before.entry.roles) === accessKey(entry.roles) ? before : null;
}
